/** Why a request of `outboundHttp` got no response. */
export type OutboundFault = 'address_refused' | 'timed_out' | 'connection_failed'

/** Errors of `outboundHttp` before anything is sent. */
const REFUSED = /^the address is not /

/** Sorts the failure of a request into three kinds, because the system's messages would reveal details of our network. */
export function findOutboundFault(error: unknown): OutboundFault {
  if (!(error instanceof Error)) return 'connection_failed'
  if (REFUSED.test(error.message)) return 'address_refused'
  const { cause } = error
  const isTimeout = [error, cause].some((each) => each instanceof Error && each.name === 'TimeoutError')
  return isTimeout ? 'timed_out' : 'connection_failed'
}
