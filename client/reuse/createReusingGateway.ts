import { createGateway, type GatewayOptions } from '../gateway/createGateway.ts'
import { checkNumber } from '../http/checkNumber.ts'
import { parseBaseUrl } from '../http/parseBaseUrl.ts'
import { createGrantReuse } from './createGrantReuse.ts'

/** Settings of a gateway that can answer requests with earlier grants. */
export type ReusingGatewayOptions = GatewayOptions & {
  /**
   * For how many seconds, up to 3,600, a grant also answers further requests with the same method, URL and facts that the
   * same key of the agent has signed, without asking the service. They are reported to it afterwards. Needs
   * `counterpartyId`.
   */
  reuseGrantSeconds?: number | undefined
  /** `PUBLIC_URL` of the service, which issues the receipts; default `apiBaseUrl` without `/api`. */
  issuer?: string | undefined
}

/** A gateway that can answer requests with earlier grants. */
export type ReusingGateway = ReturnType<typeof createGateway> & {
  /**
   * Resolves once nothing is left to do in the background: the grants of answered requests are at hand, and what was
   * answered with them is reported. For the end of a process, and for `waitUntil` of an edge runtime.
   *
   * @throws SvcApiError if the service cannot be reached; as long as the process runs, the uses are reported later.
   */
  settle(): Promise<void>
}

const REUSE_SECONDS_MAX = 3_600

/**
 * Creates a gateway as `createGateway` does, which with `reuseGrantSeconds` answers requests with earlier grants. The
 * gateways for Express, Fastify and Fetch are such gateways.
 *
 * @throws Error as `createGateway`, and for settings with which grants cannot be reused.
 * Source: docs/receipts.md.
 */
export function createReusingGateway(options: ReusingGatewayOptions): ReusingGateway {
  const { reuseGrantSeconds: seconds, counterpartyId, issuer, warn = console.warn } = options
  if (seconds === undefined) return { ...createGateway(options), settle: async () => undefined }
  checkNumber('reuseGrantSeconds', seconds, 1, REUSE_SECONDS_MAX)
  if (!counterpartyId) {
    throw new Error('reuseGrantSeconds needs counterpartyId: a receipt has to be for the endpoint')
  }
  const reuse = createGrantReuse({
    ...{ ...options, counterpartyId, seconds, warn },
    issuer: issuer ?? parseBaseUrl(options.apiBaseUrl).slice(0, -'/api'.length),
  })
  return {
    ...createGateway(options, (client) => (fields, facts) => reuse.ask(client, fields, facts)),
    settle: reuse.settle,
  }
}
