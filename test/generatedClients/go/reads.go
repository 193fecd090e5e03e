package main

import (
	"fmt"
	"slices"

	"journey/ticketing"
)

func readsTheEventAndItsDates(client *ticketing.ClientWithResponses) {
	event := must(client.GetEventWithResponse(background, eventId, nil)).JSON200
	check(event.Name == fmt.Sprintf("Event %d", eventId), "event", event)
	categories := must(client.ListEventTicketCategoriesWithResponse(background, eventId, nil)).JSON200.Data
	check(len(categories) == 1 && categories[0].Id == id("TICKET_CATEGORY_ID"), "categories", categories)
	check(categories[0].Price == 2500 && *categories[0].Name == "Stalls" && categories[0].Limit == nil, "category", categories)
	date := must(client.GetDateWithResponse(background, dateId, nil)).JSON200
	check(date.EventId == eventId && date.Date == "2026-03-01T19:30:00Z" && date.EndDate == nil, "date", date)

	march, april := ticketing.From("2026-03-01T00:00:00Z"), ticketing.To("2026-04-01T00:00:00Z")
	dates := must(client.ListDatesWithResponse(background, &ticketing.ListDatesParams{From: &march, To: &april})).JSON200.Data
	check(len(dates) == 1 && dates[0].Id == dateId, "dates", dates)
}

func readsTheOrderAndItsTicket(client *ticketing.ClientWithResponses) {
	order := must(client.GetOrderWithResponse(background, orderId, nil)).JSON200
	check(order.Reference == fmt.Sprintf("ORDER%d", orderId) && order.Total == 5150 && order.Phone == nil, "order", order)
	check(order.Status == ticketing.OrderWithTicketsStatusPaid, "status", order)
	check(len(order.Tickets) == 1 && order.Tickets[0].Id == ticketId, "tickets", order)
	expand := []ticketing.GetTicketParamsExpand{ticketing.GetTicketParamsExpandOrder}
	ticket := must(client.GetTicketWithResponse(background, ticketId, &ticketing.GetTicketParams{Expand: &expand})).JSON200
	check(ticket.Order.Id == orderId && ticket.Event == nil, "expanded", ticket)
	check(ticket.Price == 2500 && *ticket.AttendeeId == id("ATTENDEE_ID") && ticket.Seat == nil, "ticket", ticket)
}

func readsAnOrderWithMoreThanItContains(client *ticketing.ClientWithResponses) {
	expand := []ticketing.GetOrderParamsExpand{ticketing.GetOrderParamsExpandPayments, ticketing.GetOrderParamsExpandAttendees}
	orders := &ticketing.GetOrderParams{Expand: &expand}
	order := must(client.GetOrderWithResponse(background, id("LARGE_ORDER_ID"), orders)).JSON200
	check(*order.HasMoreTickets && *order.HasMorePayments && *order.HasMoreAttendees, "has_more", order.Id)
	check(len(*order.Payments) == 100 && len(*order.Attendees) == 100, "payments", order.Id)
	reference := "LARGE"
	lists := []ticketing.ListOrdersParamsExpand{"tickets", "payments", "attendees"}
	found := &ticketing.ListOrdersParams{Reference: &reference, Expand: &lists}
	listed := must(client.ListOrdersWithResponse(background, found)).JSON200.Data[0]
	check(*listed.HasMoreTickets && *listed.HasMorePayments && *listed.HasMoreAttendees, "has_more", listed.Id)
	small := must(client.GetOrderWithResponse(background, orderId, nil)).JSON200
	check(small.HasMoreTickets == nil, "has_more", small)
}

func readsPaymentDiscountAndAttendee(client *ticketing.ClientWithResponses) {
	payment := must(client.GetPaymentWithResponse(background, id("PAYMENT_ID"), nil)).JSON200
	check(payment.Amount == 5150 && payment.Type == "payment" && payment.Reason == nil, "payment", payment)
	discount := must(client.GetDiscountWithResponse(background, id("DISCOUNT_ID"), nil)).JSON200
	check(*discount.Code == "EARLY" && *discount.Amount == 200 && discount.Percent == nil, "discount", discount)
	attendee := must(client.GetAttendeeWithResponse(background, id("ATTENDEE_ID"), nil)).JSON200
	check(*attendee.FirstName == "Ada" && attendee.Phone == nil && *attendee.Answers[0].Answer == "No", "attendee", attendee)
	key := must(client.GetKeyWithResponse(background, nil)).JSON200
	check(key.Name == "All scopes" && key.OrganisationId == id("ORGANISATION_ID"), "key", key)
}

func readsSummaries(client *ticketing.ClientWithResponses) {
	ofEvent := must(client.GetEventSummaryWithResponse(background, eventId, nil)).JSON200
	ofDate := must(client.GetDateSummaryWithResponse(background, dateId, nil)).JSON200
	check(ofEvent.DateId == nil && *ofDate.DateId == dateId, "date_id", ofEvent)
	for _, summary := range []*ticketing.Summary{ofEvent, ofDate} {
		check(summary.EventId == eventId && summary.TicketsSold == 1 && summary.Gross == 2700, "summary", summary)
		check(summary.TicketCategories[0].TicketCategoryId == id("TICKET_CATEGORY_ID"), "categories", summary)
		check(summary.DateGenerated.Year() >= 2026, "date_generated", summary)
	}
}

func readsChanges(client *ticketing.ClientWithResponses) {
	one := int64(1)
	page := must(client.ListChangesWithResponse(background, &ticketing.ListChangesParams{PerPage: &one})).JSON200
	first := must(page.Data[0].AsEventChange())
	check(first.Data.Name == "Event 1", "first change", first)

	types := []ticketing.ListChangesParamsTypes{"event_date", "ticket_category", "ticket", "payment", "discount", "attendee"}
	eight := int64(8)
	page = must(client.ListChangesWithResponse(background, &ticketing.ListChangesParams{PerPage: &eight, Types: &types})).JSON200
	var kinds []string
	for _, row := range page.Data {
		kinds = append(kinds, must(row.Discriminator()))
		switch change := must(row.ValueByDiscriminator()).(type) {
		case ticketing.TicketCategoryChange:
			check(change.Data.Price == 2500, "price", change)
		case ticketing.TicketChange:
			isDeleted := change.Id == id("DELETED_TICKET_ID")
			check(isDeleted == (change.Change == ticketing.ChangeKindDeleted && change.Data == nil), "deleted", change)
			check(isDeleted || change.Data.Price == 2500, "price", change)
		}
	}
	expected := []string{"event_date", "event_date", "ticket_category", "ticket", "payment", "discount", "attendee", "ticket"}
	check(slices.Equal(kinds, expected), "kinds", kinds)
}
