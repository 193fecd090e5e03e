// Reads through the client that openapi-generator generates for Go.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"journey/ticketing"
)

func main() {
	client := clientWith(os.Getenv("API_KEY"))
	events, err := allEvents(client)
	check(err == nil, err)
	check(int64(len(events)) == id("EVENT_COUNT"), len(events))
	for _, event := range events {
		check(event.Name == fmt.Sprintf("Event %d", event.Id) && event.Description.Get() == nil, event.Id)
	}

	ctx := context.Background()
	expand := []string{"order", "event", "date", "ticket_category", "attendee"}
	ticket, _, err := client.TicketsAPI.GetTicket(ctx, id("TICKET_ID")).Expand(expand).Execute()
	check(err == nil, err)
	order := ticket.Order.Get()
	check(order.Id == id("ORDER_ID") && order.Total == 5150 && order.Phone.Get() == nil, order)
	check(ticket.Attendee.Get().Id == id("ATTENDEE_ID"), ticket.Attendee)

	orders, _, err := client.OrdersAPI.ListOrders(ctx).Email("ADA@example.org").Expand([]string{"tickets"}).Execute()
	check(err == nil && len(orders.Data) > 0, err)

	changes, _, err := client.ChangesAPI.ListChanges(ctx).Types([]string{"order"}).Execute()
	check(err == nil && changes.Data[0].OrderChange.Id > 0, err)

	_, _, err = client.OrdersAPI.GetOrder(ctx, 1<<53-1).Execute()
	check(problemOf(err).Code == "not_found", err)
}

func check(isTrue bool, found any) {
	if !isTrue {
		panic(fmt.Sprint(found))
	}
}

func id(name string) int64 {
	value, err := strconv.ParseInt(os.Getenv(name), 10, 64)
	check(err == nil, name)
	return value
}

func clientWith(key string) *ticketing.APIClient {
	configuration := ticketing.NewConfiguration()
	configuration.Servers = ticketing.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+key)
	return ticketing.NewAPIClient(configuration)
}

func allEvents(client *ticketing.APIClient) ([]ticketing.Event, error) {
	var events []ticketing.Event
	request := client.EventsAPI.ListEvents(context.Background()).PerPage(100)
	for {
		page, _, err := request.Execute()
		if err != nil {
			return nil, err
		}
		events = append(events, page.Data...)
		if !page.Pagination.HasMore {
			return events, nil
		}
		request = request.Cursor(*page.Pagination.NextCursor.Get())
	}
}

func problemOf(err error) ticketing.Problem {
	var failure *ticketing.GenericOpenAPIError
	if errors.As(err, &failure) {
		if problem, ok := failure.Model().(ticketing.Problem); ok {
			return problem
		}
	}
	return ticketing.Problem{}
}
