import type { JsonWebKey } from 'node:crypto'

/** A key of an agent, and the request without a body that the agent sends to the counterparty. */
export type RequestSigner = { privateJwk: JsonWebKey; keyid: string; agentId: string; url: string }

/** The request that a load repeats, and how to recognise a correct response. */
export type LoadRequest = {
  /** Default POST. */
  readonly method?: 'GET' | undefined
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
  /** Bodies that a closed loop sends in turn instead of `body`. */
  readonly bodies?: readonly string[]
  /**
   * If set, each request has another signature by this key, because a signature is good once: a GET request in its headers,
   * as the agent sends it, and a POST request in its body, as the counterparty hands it over.
   */
  readonly signer?: RequestSigner
  /** Text that every correct response contains, in addition to status 200. */
  readonly expected: string
}
