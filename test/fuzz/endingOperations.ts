/** Paths of operations that would end the good credentials on which all later requests of a fuzzer depend. */
export const ENDING_OPERATIONS: ReadonlySet<string> = new Set([
  '/api/auth/logout',
  '/api/auth/logout-all',
  '/api/admin/accounts/{id}/suspend',
  '/api/admin/organizations/{id}/suspend',
])
