import java.io.IOException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import ticketing.ApiClient;
import ticketing.ApiException;
import ticketing.JSON;
import ticketing.api.*;
import ticketing.model.*;

/** Reads and writes through the client that openapi-generator generates for Java. Needs `java -ea`. */
public class Journey {
  static final long eventId = id("EVENT_ID"), dateId = id("DATE_ID"), categoryId = id("TICKET_CATEGORY_ID");
  static final long orderId = id("ORDER_ID"), ticketId = id("TICKET_ID"), attendeeId = id("ATTENDEE_ID");

  public static void main(String[] args) throws Exception {
    ApiClient client = clientWith(System.getenv("API_KEY"));
    readsAList(client);
    readsTheEventAndItsDates(client);
    readsTheOrderAndItsTicket(client);
    readsAnOrderWithMoreThanItContains(client);
    readsPaymentDiscountAndAttendee(client);
    readsSummaries(client);
    readsChanges(client);
    readsErrors(client, clientWith(System.getenv("READ_ONLY_KEY")));
    recordsAPaymentOnce(client);
    createsAndRevokesAKey(clientWith(System.getenv("ID_TOKEN")));
  }

  static long id(String name) {
    return Long.parseLong(System.getenv(name));
  }

  static ApiClient clientWith(String key) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
    return client;
  }

  static List<Event> allEvents(ApiClient client) throws ApiException {
    List<Event> events = new ArrayList<>();
    EventPage page;
    String cursor = null;
    do {
      page = new EventsApi(client).listEvents(100L, cursor, null, null, null);
      events.addAll(page.getData());
      cursor = page.getPagination().getNextCursor();
    } while (page.getPagination().getHasMore());
    return events;
  }

  static Problem problemOf(ApiException error) throws IOException {
    return JSON.getDefault().getMapper().readValue(error.getResponseBody(), Problem.class);
  }

  interface Call {
    Object run() throws ApiException;
  }

  static Problem problemOf(Call call) throws IOException {
    try {
      throw new AssertionError("The call should fail: " + call.run());
    } catch (ApiException error) {
      return problemOf(error);
    }
  }

  static void readsAList(ApiClient client) throws ApiException {
    List<Event> events = allEvents(client);
    assert events.size() == id("EVENT_COUNT") : events.size();
    for (Event event : events) {
      assert event.getName().equals("Event " + event.getId()) : event;
      assert event.getCurrencySymbol().equals("£") && event.getDescription() == null : event;
    }
  }

  static void readsTheEventAndItsDates(ApiClient client) throws ApiException {
    EventsApi events = new EventsApi(client);
    assert events.getEvent(eventId, null).getName().equals("Event " + eventId);
    List<TicketCategory> categories = events.listEventTicketCategories(eventId, null, null, null).getData();
    assert categories.size() == 1 && categories.get(0).getId() == categoryId : categories;
    assert categories.get(0).getPrice() == 2500 && categories.get(0).getLimit() == null : categories;

    DatesApi dates = new DatesApi(client);
    ExpandedEventDate date = dates.getDate(dateId, null, null);
    assert date.getEventId() == eventId && date.getDate().equals("2026-03-01T19:30:00Z") && date.getEndDate() == null : date;
    List<ExpandedEventDate> inMarch = dates.listDates(null, null, "2026-03-01", "2026-04-01", null, null).getData();
    assert inMarch.equals(List.of(date)) : inMarch;
  }

  static void readsTheOrderAndItsTicket(ApiClient client) throws ApiException {
    OrderWithTickets order = new OrdersApi(client).getOrder(orderId, null, null);
    assert order.getReference().equals("ORDER" + orderId) && order.getTotal() == 5150 && order.getPhone() == null : order;
    assert order.getStatus() == OrderWithTickets.StatusEnum.PAID : order;
    ExpandedTicket ticket = new TicketsApi(client).getTicket(ticketId, Set.of("order", "attendee"), null);
    assert ticket.getPrice() == 2500 && ticket.getAttendeeId() == attendeeId && ticket.getSeat() == null : ticket;
    assert ticket.getOrder().getId() == orderId && ticket.getAttendee().getId() == attendeeId : ticket;
    assert ticket.getEvent() == null && order.getTickets().get(0).getId() == ticketId : order;
  }

  static void readsAnOrderWithMoreThanItContains(ApiClient client) throws ApiException {
    OrdersApi orders = new OrdersApi(client);
    OrderWithTickets order = orders.getOrder(id("LARGE_ORDER_ID"), Set.of("payments", "attendees"), null);
    assert order.getHasMoreTickets() && order.getHasMorePayments() && order.getHasMoreAttendees() : order.getId();
    assert order.getPayments().size() == 100 && order.getAttendees().size() == 100 : order.getId();
    Set<String> lists = Set.of("tickets", "payments", "attendees");
    ExpandedOrder listed = orders.listOrders(null, null, null, null, "LARGE", null, lists, null).getData().get(0);
    assert listed.getHasMoreTickets() && listed.getHasMorePayments() && listed.getHasMoreAttendees() : listed.getId();
    assert orders.getOrder(orderId, null, null).getHasMoreTickets() == null;
  }

  static void readsPaymentDiscountAndAttendee(ApiClient client) throws ApiException {
    ExpandedPayment payment = new PaymentsApi(client).getPayment(id("PAYMENT_ID"), null, null);
    assert payment.getAmount() == 5150 && payment.getType() == ExpandedPayment.TypeEnum.PAYMENT : payment;
    assert payment.getReason() == null : payment;
    Discount discount = new DiscountsApi(client).getDiscount(id("DISCOUNT_ID"), null);
    assert discount.getCode().equals("EARLY") && discount.getAmount() == 200 && discount.getPercent() == null : discount;
    Attendee attendee = new AttendeesApi(client).getAttendee(attendeeId, null);
    assert attendee.getFirstName().equals("Ada") && attendee.getPhone() == null : attendee;
    assert attendee.getAnswers().get(0).getAnswer().equals("No") : attendee;
    CallingKey key = new KeyApi(client).getKey(null);
    assert key.getName().equals("All scopes") && key.getOrganisationId() == id("ORGANISATION_ID") : key;
  }

  static void readsSummaries(ApiClient client) throws ApiException {
    Summary ofEvent = new EventsApi(client).getEventSummary(eventId, null);
    Summary ofDate = new DatesApi(client).getDateSummary(dateId, null);
    assert ofEvent.getDateId() == null && ofDate.getDateId() == dateId : ofEvent;
    for (Summary summary : List.of(ofEvent, ofDate)) {
      assert summary.getEventId() == eventId && summary.getTicketsSold() == 1 && summary.getGross() == 2700 : summary;
      assert summary.getTicketCategories().get(0).getTicketCategoryId() == categoryId : summary;
      assert summary.getDateGenerated().isAfter(OffsetDateTime.parse("2026-01-01T00:00:00Z")) : summary;
    }
  }

  static void readsChanges(ApiClient client) throws ApiException {
    ChangesApi changes = new ChangesApi(client);
    Change first = changes.listChanges(1L, null, null, null, null).getData().get(0);
    assert first.getEventChange().getData().getName().equals("Event 1") : first;

    Set<String> types = Set.of("event_date", "ticket_category", "ticket", "payment", "discount", "attendee");
    List<String> kinds = new ArrayList<>();
    for (Change change : changes.listChanges(8L, null, types, null, null).getData()) {
      kinds.add(change.getActualInstance().getClass().getSimpleName());
      if (change.getActualInstance() instanceof TicketCategoryChange category) assert category.getData().getPrice() == 2500 : change;
      if (change.getActualInstance() instanceof TicketChange ticket) {
        boolean isDeleted = ticket.getId() == id("DELETED_TICKET_ID");
        assert isDeleted || ticket.getData().getPrice() == 2500 : change;
        assert isDeleted == (ticket.getChange() == ChangeKind.DELETED && ticket.getData() == null) : change;
      }
    }
    assert kinds.equals(List.of("EventDateChange", "EventDateChange", "TicketCategoryChange", "TicketChange", "PaymentChange",
        "DiscountChange", "AttendeeChange", "TicketChange")) : kinds;
  }

  static void readsErrors(ApiClient client, ApiClient readOnly) throws IOException {
    Problem unknown = problemOf(() -> new OrdersApi(client).getOrder((1L << 53) - 1, null, null));
    assert unknown.getCode() == Problem.CodeEnum.NOT_FOUND && unknown.getStatus() == 404 : unknown;
    OrderUpdate update = new OrderUpdate().adminNote("Wheelchair place");
    Problem refused = problemOf(() -> new OrdersApi(readOnly).updateOrder(orderId, update, null, null));
    assert refused.getCode() == Problem.CodeEnum.FORBIDDEN && refused.getRequiredScope() == Scope.WRITE_ORDERS : refused;
  }

  static void recordsAPaymentOnce(ApiClient client) throws ApiException {
    EventsApi events = new EventsApi(client);
    BalancePaymentInput payment = new BalancePaymentInput().type(BalancePaymentInput.TypeEnum.PAYMENT).amount(1250L);
    String key = UUID.randomUUID().toString();
    BalancePayment first = events.recordBalancePayment(eventId, payment, key);
    BalancePayment second = events.recordBalancePayment(eventId, payment, key);
    assert first.getAmount() == 1250 && first.getNote() == null && first.equals(second) : second;
  }

  static void createsAndRevokesAKey(ApiClient admin) throws ApiException, IOException {
    KeyAdministrationApi keys = new KeyAdministrationApi(admin);
    ApiKeyInput wanted = new ApiKeyInput().name("Journey").addScopesItem(Scope.READ);
    String key = UUID.randomUUID().toString();
    CreatedApiKey created = keys.createApiKey(wanted, key);
    Problem repeated = problemOf(() -> keys.createApiKey(wanted, key));
    assert repeated.getCode() == Problem.CodeEnum.CONFLICT && repeated.getKeyId().equals(created.getId()) : repeated;
    assert created.getStatus() == CreatedApiKey.StatusEnum.ACTIVE && created.getLastUsed() == null : created.getId();
    KeyApi calling = new KeyApi(clientWith(created.getKey()));
    assert calling.getKey(null).getName().equals("Journey");
    assert keys.getApiKeyUsage(created.getId(), null, null).getDays().size() == 30;
    assert keys.revokeApiKey(created.getId()).getStatus() == ApiKey.StatusEnum.REVOKED;
    assert problemOf(() -> calling.getKey(null)).getCode() == Problem.CodeEnum.UNAUTHORIZED;
  }
}
