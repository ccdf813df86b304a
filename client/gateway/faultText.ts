import { SvcApiError } from '../http/svcApiError.ts'

type Host = { apiBaseUrl: string; counterpartyId?: string | undefined }

/** What an operator is told of a call that failed: the service's code and request, and what is likely wrong. */
export function faultText(error: unknown, host: Host): string {
  if (!(error instanceof SvcApiError)) return String(error)
  const { code, message, requestId } = error
  const hint = hintOf(error, host)
  return `${code}: ${message}${hint && ` ${hint}`}${requestId === null ? '' : ` (request ${requestId})`}`
}

function hintOf({ code }: SvcApiError, { apiBaseUrl, counterpartyId }: Host): string {
  if (code === 'NETWORK_ERROR') return `Does the service run at ${apiBaseUrl}?`
  if (code === 'UNAUTHENTICATED') return 'Is apiKey right?'
  if (code === 'NOT_FOUND' && counterpartyId !== undefined) return `Does apiKey own ${counterpartyId}?`
  return ''
}
