import ticketing.apis.*
import ticketing.infrastructure.*
import ticketing.models.*

/** Reads through the client that openapi-generator generates for Kotlin. */
fun main() {
  ApiClient.accessToken = variable("API_KEY")
  val baseUrl = variable("BASE_URL")
  val events = allEvents(baseUrl)
  check(events.size.toLong() == id("EVENT_COUNT"))
  check(events.all { it.name == "Event ${it.id}" && it.description == null })

  val ticket = TicketsApi(baseUrl).getTicket(id("TICKET_ID"), TicketsApi.ExpandGetTicket.entries)
  check(ticket.order?.id == id("ORDER_ID") && ticket.order?.total == 5150L && ticket.order?.phone == null) { ticket }
  check(ticket.attendee?.id == id("ATTENDEE_ID")) { ticket }

  val email = "ADA@example.org"
  check(AttendeesApi(baseUrl).listAttendees(email).data.size == 1)
  check(OrdersApi(baseUrl).listOrders(email = email).data.isNotEmpty())

  check(problemOf { OrdersApi(baseUrl).getOrder((1L shl 53) - 1) }?.code == Problem.Code.not_found)
}

fun variable(name: String): String = System.getenv(name)

fun id(name: String): Long = variable(name).toLong()

fun allEvents(baseUrl: String): List<Event> {
  val events = mutableListOf<Event>()
  var cursor: String? = null
  do {
    val page = EventsApi(baseUrl).listEvents(100, cursor)
    events.addAll(page.data)
    cursor = page.pagination.nextCursor
  } while (page.pagination.hasMore)
  return events
}

fun problemOf(call: () -> Any): Problem? =
  try {
    call()
    null
  } catch (error: ClientException) {
    (error.response as ClientError<*>).body?.let { Serializer.moshi.adapter(Problem::class.java).fromJson(it.toString()) }
  }
