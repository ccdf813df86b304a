import type { AskForAnswer } from '../gateway/createGateway.ts'
import type { VerifyClient, VerifyClientConfig } from '../gateway/createVerifyClient.ts'
import type { RequestFacts } from '../gateway/requestFacts.ts'
import type { VerificationFields } from '../gateway/verificationFields.ts'
import { createIssuerKeys } from '../receipts/createIssuerKeys.ts'
import { createStatusListCache } from '../receipts/createStatusListCache.ts'
import { createAgentKeys } from './createAgentKeys.ts'
import { createGrantKeeper } from './createGrantKeeper.ts'
import { createGrants } from './createGrants.ts'
import { createNonceMemory } from './createNonceMemory.ts'
import { createUseReporter } from './createUseReporter.ts'
import { createUseSender } from './createUseSender.ts'
import { type ReusableRequest, readReusableRequest } from './readReusableRequest.ts'
import { useGrant } from './useGrant.ts'

/** How a gateway answers requests with grants that it already has. */
export type GrantReuseConfig = VerifyClientConfig & {
  /** `PUBLIC_URL` of the service. */
  issuer: string
  counterpartyId: string
  /** How long a grant may be used. */
  seconds: number
  warn: (message: string) => void
  /** Epoch milliseconds; default the clock. */
  now?: (() => number) | undefined
}

type Client = Pick<VerifyClient, 'verifyAccess'>
type Answered = Awaited<ReturnType<AskForAnswer>>

/** A withdrawn grant is used for no longer than that, even if the service cannot be reached. */
const STATUS_AGE_SECONDS_MAX = 60

/**
 * Creates what answers requests in place of the service while an earlier grant covers them: signed by the same key of the
 * same agent, with the same method, URL and facts, and within the granted value.
 *
 * Everything that is not certain here is the service's to decide, among it all requests without a signature, and those with
 * a nonce that was seen before. What was answered with a grant is reported to the service.
 *
 * Source: docs/receipts.md.
 */
export function createGrantReuse(config: GrantReuseConfig) {
  const { warn, now = Date.now } = config
  const keys = createIssuerKeys(config)
  const statusLists = createStatusListCache({ ...config, keys, maxAgeSeconds: STATUS_AGE_SECONDS_MAX })
  const nonces = createNonceMemory()
  const grants = createGrants()
  const keeper = createGrantKeeper({
    ...{ ...config, keys, statusLists, grants },
    agentKeys: createAgentKeys({ ...config, now }),
  })
  const reporter = createUseReporter({
    send: createUseSender(config),
    onRefused({ auditRecordId }, { status, contradiction }) {
      grants.drop(auditRecordId)
      warn(`a use of grant ${auditRecordId} contradicts it: ${contradiction ?? status}`)
    },
    warn,
  })
  /** Requests that are being verified here, by nonce: what repeats one has to wait for it. */
  const verifying = new Map<string, Promise<boolean>>()

  async function askService(
    client: Client,
    fields: VerificationFields,
    facts: RequestFacts,
    request: ReusableRequest,
  ): Promise<Answered> {
    const at = now()
    const answer = await client.verifyAccess({ ...fields, includeReceipt: true }, facts)
    if (answer.identityProof !== 'signature') nonces.release(request)
    keeper.keep(request, { answer, at })
    return { answer }
  }

  return {
    /**
     * Answers a request with an earlier grant, or else asks the service.
     *
     * @throws SvcApiError as `verifyAccess`; Error for a `useValue` that is not part of the value to ask for.
     */
    async ask(client: Client, fields: VerificationFields, facts: RequestFacts = {}): Promise<Answered> {
      const at = now()
      const request = readReusableRequest(fields, readUseValue(fields, facts), at)
      if (request === undefined) return { answer: await client.verifyAccess(fields, facts) }
      const taken = nonces.take(request, at)
      const id = request.signatureId
      if (taken === 'seen') {
        // The service refuses it, once it knows what was answered here.
        await verifying.get(id)
        await reporter.flush()
        return { answer: await client.verifyAccess(fields, facts) }
      }
      const grant = taken === 'fresh' ? grants.find(request.key, at) : undefined
      if (grant === undefined) return askService(client, fields, facts, request)
      const using = useGrant({ grants, statusLists, reporter }, grant, request, at)
      verifying.set(id, using)
      const isUsed = await using
      verifying.delete(id)
      return isUsed ? { answer: grant.answer, isReused: true } : askService(client, fields, facts, request)
    },

    /**
     * Resolves once the grants of all answered requests are at hand, and everything that was answered with one is reported.
     *
     * @throws SvcApiError if the service cannot be reached; the uses are reported later.
     */
    async settle(): Promise<void> {
      await keeper.settle()
      await reporter.flush()
    },
  }
}

/** What a request takes of a grant; undefined if it states no value. */
function readUseValue({ transactionValue }: VerificationFields, { useValue }: RequestFacts) {
  if (useValue === undefined || (useValue >= 0 && useValue <= Number(transactionValue)))
    return useValue ?? transactionValue
  throw new Error(
    `useValue must be a number from 0 to transactionValue (${transactionValue}), got ${useValue}`,
  )
}
