import { SvcApiError } from '@svc/client/http/svcApiError.ts'

/** Builds the error for a response that the service would not send: another server is there, or another version. */
export function invalidResponse(expected: string): SvcApiError {
  return new SvcApiError({
    code: 'INVALID_RESPONSE',
    status: 200,
    message: `Expected ${expected} in the response; is the address that of the service?`,
  })
}
