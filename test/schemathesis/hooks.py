"""Checks for schemathesis, which it loads beside its own."""

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance

# Refusals of requests that are valid by the schemas, with the reason why no schema can express the rule.
DOCUMENTED_REFUSALS = {
    # Schemathesis invents cursors. Only a list's own response contains one.
    ("cursor", "Not a cursor of this list."),
    ("cursor", "Not a cursor of this organisation's changes of these types. Send the types of its page, with a key of its organisation."),
    # Schemathesis also sends the placeholders of tools.
    ("cursor", "Leave cursor out for the first page, and stop when pagination.has_more is false."),
    # Languages disagree about which characters are white space.
    *((name, "Must not be blank.") for name in ("barcode", "email", "reference")),
    # Rules about another parameter, and about the current time.
    ("to", "Must not be before from."),
    ("completed_to", "Must not be before completed_from."),
    ("changed_since", "Must not be in the future."),
    ("email", "Must not be combined with reference."),
    (
        "changed_since",
        "Must not be later than the start of the cursor's first page. Leave it out: the cursor continues from its own position.",
    ),
    # No format allows a date with and without a time, and no pattern knows the days of a month.
    *(
        (name, detail)
        for name in ("from", "to", "completed_from", "completed_to", "changed_since", "/date", "/from")
        for detail in (
            "Must be a date, YYYY-MM-DD, or a date and time, YYYY-MM-DDThh:mm or YYYY-MM-DDThh:mm:ss, with Z, an offset such as +01:00, or neither.",
            "Must be within the years 0000 to 9999 in UTC.",
        )
    ),
    # HTTP removes the white space around a header's value.
    ("idempotency-key", "Must not be empty."),
    # Schemathesis ignores the patterns of these headers.
    ("if-match", "Must be an entity tag in quotation marks, as in the ETag header."),
    ("if-none-match", "Must be an entity tag in quotation marks, as in the ETag header."),
    # No pattern that every language knows describes these characters.
    ("/name", "Must not contain invisible characters."),
    ("/name", "Must not be empty."),
    # Rules about the parts of a URL, what its host resolves to, and the current time.
    ("/url", "Must be an absolute https URL."),
    ("/url", "Must be an https URL."),
    ("/url", "Must not contain credentials."),
    ("/url", "Must not contain a fragment."),
    ("/url", "Must only contain visible ASCII characters; percent-encode others."),
    ("/url", "The host's name does not resolve."),
    ("/url", "The host has no public address."),
    ("/description", "Must not contain control characters."),
    # A generator fails on a schema that allows nothing but null.
    ("/earlier_secret_until", "Must be null, which ends the earlier secret now."),
    # openapi-generator's Java does not compile with uniqueItems for a nullable array of an enum.
    ("/types", "Must not repeat a type."),
    ("/from", "Must be at most 30 days ago."),
    ("/from", "Must not be later than the last delivered change: that would skip changes."),
}

# Rules for every text, which no pattern can express in every language.
REFUSED_TEXTS = {"Must not contain the character U+0000.", "Must be percent-encoded UTF-8, without U+FFFD."}


def is_documented(error):
    """True for a refusal that is listed above."""
    return error["detail"] in REFUSED_TEXTS or (error.get("parameter", error.get("pointer")), error["detail"]) in DOCUMENTED_REFUSALS


@schemathesis.check
def valid_requests_are_accepted(ctx, response, case):
    """Replaces the tool's own check, and allows the refusals above."""
    if response.status_code == 400:
        errors = response.json().get("errors", [])
        if errors and all(is_documented(error) for error in errors):
            return None
    return positive_data_acceptance(ctx, response, case)
