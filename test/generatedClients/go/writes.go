package main

import (
	"crypto/rand"

	"github.com/google/uuid"

	"journey/ticketing"
)

func readsErrors(client, readOnly *ticketing.ClientWithResponses) {
	unknown := must(client.GetOrderWithResponse(background, 1<<53-1, nil)).ApplicationproblemJSON404
	check(unknown.Code == ticketing.ProblemCodeNotFound && unknown.Status == 404, "unknown", unknown)
	note := "Wheelchair place"
	update := ticketing.OrderUpdate{AdminNote: &note}
	refused := must(readOnly.UpdateOrderWithResponse(background, orderId, nil, update)).ApplicationproblemJSON403
	check(refused.Code == ticketing.ProblemCodeForbidden && *refused.RequiredScope == ticketing.ScopeWriteOrders, "refused", refused)
}

func recordsAPaymentOnce(client *ticketing.ClientWithResponses) {
	key := rand.Text()
	params := &ticketing.RecordBalancePaymentParams{IdempotencyKey: &key}
	payment := ticketing.BalancePaymentInput{Type: ticketing.BalancePaymentInputTypePayment, Amount: 1250}
	first := must(client.RecordBalancePaymentWithResponse(background, eventId, params, payment)).JSON201
	second := must(client.RecordBalancePaymentWithResponse(background, eventId, params, payment)).JSON201
	check(first.Amount == 1250 && first.Note == nil && first.Id == second.Id, "payments", second)
}

func createsAndRevokesAKey(admin *ticketing.ClientWithResponses) {
	wanted := ticketing.ApiKeyInput{Name: "Journey", Scopes: []ticketing.Scope{ticketing.ScopeRead}}
	key := uuid.NewString()
	params := &ticketing.CreateApiKeyParams{IdempotencyKey: &key}
	created := must(admin.CreateApiKeyWithResponse(background, params, wanted)).JSON201
	repeated := must(admin.CreateApiKeyWithResponse(background, params, wanted)).ApplicationproblemJSON409
	check(*repeated.KeyId == created.Id, "repeated", repeated)
	check(created.Status == ticketing.CreatedApiKeyStatusActive && created.LastUsed == nil, "created", created.Id)
	client := must(clientWith(created.Key))
	check(must(client.GetKeyWithResponse(background, nil)).JSON200.Name == "Journey", "name", created.Id)
	usage := must(admin.GetApiKeyUsageWithResponse(background, created.Id, nil)).JSON200
	check(len(usage.Days) == 30, "usage", usage)
	revoked := must(admin.RevokeApiKeyWithResponse(background, created.Id)).JSON200
	check(revoked.Status == ticketing.ApiKeyStatusRevoked, "revoked", revoked)
	refused := must(client.GetKeyWithResponse(background, nil)).ApplicationproblemJSON401
	check(refused.Code == ticketing.ProblemCodeUnauthorized, "refused", refused)
}
