/** The failure of a request so slow that another one has taken its Idempotency-Key over; it must write nothing. */
export function lostClaimError(): Error {
  return new Error('the request lost its Idempotency-Key to a later one')
}
