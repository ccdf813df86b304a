import type { ReusingGatewayOptions } from '@svc/client/reuse.ts'
import type { SignedBodies } from '../proxy/createBodyLimits.ts'

/** An address to listen at. */
export type ListenAddress = { host: string; port: number }

/** What every gate needs to know. */
export type CommonSettings = {
  /** Where callers, or the proxy that asks, connect. */
  listen: ListenAddress
  /** Where health and metrics are; null for nowhere. */
  admin: ListenAddress | null
  /** How many proxies in front add to `X-Forwarded-For` and set `X-Forwarded-Proto`. */
  trustProxy: number
  /** The verification. */
  gateway: Pick<
    ReusingGatewayOptions,
    | 'apiBaseUrl'
    | 'apiKey'
    | 'counterpartyId'
    | 'holdStepUpMs'
    | 'reuseGrantSeconds'
    | 'bodyBytesMax'
    | 'issuer'
  >
  connectMs: number
  responseMs: number
  /** For how long running requests may go on when the gate is stopped. */
  graceMs: number
}

/** What a gate for any server does. */
export type GateSettings = CommonSettings & {
  /** The server behind the gate; null if a proxy asks and forwards itself. */
  upstream: URL | null
  signedBodies: SignedBodies
  /**
   * Where a proxy that asks describes the request: in `X-Forwarded-*` headers, which it always sets, or as the question.
   */
  question: 'headers' | 'request'
}
