//! Reads through the client that openapi-generator generates for Rust.

use std::env::var;
use ticketing::apis::{Error, attendees_api, configuration::Configuration, events_api, orders_api, tickets_api};
use ticketing::models::problem::Code;
use ticketing::models::{Event, Problem};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let client = client_with(variable("API_KEY"));
    let events = all_events(&client).await.expect("events");
    assert_eq!(events.len() as i64, id("EVENT_COUNT"));
    assert!(events.iter().all(|event| event.name == format!("Event {}", event.id) && event.description.is_none()));

    let expand = ["order", "event", "date", "ticket_category", "attendee"].map(String::from).to_vec();
    let ticket = tickets_api::get_ticket(&client, id("TICKET_ID"), Some(expand), None).await.expect("ticket");
    let order = ticket.order.flatten().expect("order");
    assert_eq!((order.id, order.total, order.phone), (id("ORDER_ID"), 5150, None));
    assert_eq!(ticket.attendee.flatten().map(|attendee| attendee.id), Some(id("ATTENDEE_ID")));

    let email = "ADA@example.org";
    let found = attendees_api::list_attendees(&client, email, None, None, None).await.expect("attendees");
    assert_eq!(found.data.len(), 1);
    let orders = orders_api::list_orders(&client, None, None, None, Some(email), None).await.expect("orders");
    assert!(!orders.data.is_empty());

    let unknown = orders_api::get_order(&client, (1 << 53) - 1, None, None).await;
    assert_eq!(problem_of(unknown).code, Code::NotFound);
}

fn variable(name: &str) -> String {
    var(name).expect(name)
}

fn id(name: &str) -> i64 {
    variable(name).parse().expect(name)
}

fn client_with(key: String) -> Configuration {
    Configuration { base_path: variable("BASE_URL"), bearer_access_token: Some(key), ..Configuration::default() }
}

async fn all_events(client: &Configuration) -> Result<Vec<Event>, Error<events_api::ListEventsError>> {
    let mut events = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = events_api::list_events(client, Some(100), cursor.as_deref(), None).await?;
        events.extend(page.data);
        cursor = page.pagination.next_cursor;
        if !page.pagination.has_more {
            return Ok(events);
        }
    }
}

fn problem_of<Found, Kind>(result: Result<Found, Error<Kind>>) -> Problem {
    match result {
        Err(Error::ResponseError(response)) => serde_json::from_str(&response.content).expect("problem"),
        _ => panic!("The call should fail with a problem."),
    }
}
