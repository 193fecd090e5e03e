// Reads and writes through the client that oapi-codegen generates.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"

	"journey/ticketing"
)

var (
	background = context.Background()
	eventId    = id("EVENT_ID")
	dateId     = id("DATE_ID")
	orderId    = id("ORDER_ID")
	ticketId   = id("TICKET_ID")
)

func main() {
	client := must(clientWith(os.Getenv("API_KEY")))
	readsAList(client)
	readsTheEventAndItsDates(client)
	readsTheOrderAndItsTicket(client)
	readsAnOrderWithMoreThanItContains(client)
	readsPaymentDiscountAndAttendee(client)
	readsSummaries(client)
	readsChanges(client)
	readsErrors(client, must(clientWith(os.Getenv("READ_ONLY_KEY"))))
	recordsAPaymentOnce(client)
	createsAndRevokesAKey(must(clientWith(os.Getenv("ID_TOKEN"))))
}

func id(name string) int64 {
	value, err := strconv.ParseInt(os.Getenv(name), 10, 64)
	check(err == nil, name, err)
	return value
}

func check(isTrue bool, what string, value any) {
	if !isTrue {
		panic(fmt.Sprintf("%s: %+v", what, value))
	}
}

func must[Result any](result Result, err error) Result {
	check(err == nil, "call", err)
	return result
}

func clientWith(key string) (*ticketing.ClientWithResponses, error) {
	setKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	return ticketing.NewClientWithResponses(os.Getenv("BASE_URL"), ticketing.WithRequestEditorFn(setKey))
}

func allEvents(client *ticketing.ClientWithResponses) ([]ticketing.Event, error) {
	var events []ticketing.Event
	perPage := int64(100)
	params := &ticketing.ListEventsParams{PerPage: &perPage}
	for {
		response, err := client.ListEventsWithResponse(background, params)
		if err != nil {
			return nil, err
		}
		if response.JSON200 == nil {
			return nil, fmt.Errorf("%s: %s", response.Status(), response.Body)
		}
		events = append(events, response.JSON200.Data...)
		if !response.JSON200.Pagination.HasMore {
			return events, nil
		}
		params.Cursor = response.JSON200.Pagination.NextCursor
	}
}

func readsAList(client *ticketing.ClientWithResponses) {
	events := must(allEvents(client))
	check(int64(len(events)) == id("EVENT_COUNT"), "events", len(events))
	for _, event := range events {
		check(event.Name == fmt.Sprintf("Event %d", event.Id), "name", event)
		check(*event.CurrencySymbol == "£" && event.Description == nil, "event", event)
	}
}
