import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOrganisation, registerAgent, registerEndpoint } from '../../../builders/participants.ts'
import { OPERATOR_SETTINGS, signInOperator } from '../../../builders/signInOperator.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { startService } from '../../../harness/service/startService.ts'

export type OperatorScene = Awaited<ReturnType<typeof openOperatorScene>>

const PASSWORD = 'correct horse battery'
export const REASON = 'It sends the same request a million times a day.'
export const CONTACT = 'help@svc.io'

/** The whole service with an operator who has a passkey, and people to act against. */
export async function openOperatorScene() {
  const service = await startService({
    settings: { ...OPERATOR_SETTINGS, SUPPORT_CONTACT: CONTACT, SIGN_IN_RATE_PER_15_MINUTES: '100000' },
  })
  const { baseUrl, rows } = service
  const operator = await signInOperator(baseUrl)
  const headers = { 'x-svc-elevation': await operator.elevation() }
  const call = (method: string, path: string, options: Parameters<typeof api>[3] = {}) =>
    api(baseUrl, method, path, options)
  const verify = (bearer: string, body: object) => call('POST', '/api/agents/verify-access', { bearer, body })

  const order = (path: string, body: object = { reason: REASON }) =>
    call('POST', `/api/admin/${path}`, { bearer: operator.bearer, headers, body })
  const take = async (path: string) => {
    const answer = await order(path)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  }

  return {
    service,
    baseUrl,
    rows,
    operator,
    call,
    verify,
    /** Sends an operation of an operator, with a fresh passkey. */
    order,
    suspend: ({ developerId }: { developerId: string }) => take(`accounts/${developerId}/suspend`),
    resume: ({ developerId }: { developerId: string }) => take(`accounts/${developerId}/resume`),
    list: async (path: string) => (await call('GET', `/api/admin/${path}`, { bearer: operator.bearer })).body,
    /** A person with an organisation and a key of each kind, who can sign in again by password. */
    async person() {
      const owner = await createOrganisation(baseUrl)
      const { user } = (await call('GET', '/api/me', { bearer: owner.accessToken })).body
      const logIn = () =>
        call('POST', '/api/auth/login', { body: { email: user.email as string, password: PASSWORD } })
      return { ...owner, user, logIn }
    },
    /** An agent of an owner: `SVCD-` of an account or `SVCO-` of an organisation. */
    async agentOf(ownerId: string): Promise<string> {
      const { svcId } = await registerAgent(baseUrl)
      await rows('UPDATE agents SET owner_id = ? WHERE svc_id = ?', ownerId, svcId)
      return svcId
    },
    endpointOf: (apiKey: string, fields: object = {}) => registerEndpoint(baseUrl, apiKey, fields),
    /** The recommendation on a request, and the dimensions that failed. */
    async decide(bearer: string, body: object) {
      const { status, body: answer } = await verify(bearer, body)
      if (status !== 200) return [status, answer.code]
      const failures: { dimension: string }[] = answer.access.failures ?? []
      return [answer.recommendation, ...failures.map(({ dimension }) => dimension)]
    },
    /** Whether the receipt of a decision is withdrawn; undefined if it has none. */
    async isWithdrawn(recordId: string): Promise<boolean | undefined> {
      const [row] = await rows<{ withdrawn_at: number | null }>(
        'SELECT withdrawn_at FROM receipts WHERE record_id = ?',
        recordId,
      )
      return row && row.withdrawn_at !== null
    },
    /** Waits for a mail to an address with a subject, and returns its text on one line. */
    mailTo: (address: string, subject: string) =>
      waitUntil(async () => {
        const folder = join(service.dataDir, 'mail')
        const mails = readdirSync(folder, { recursive: true })
          .map(String)
          .filter((name) => name.endsWith('.eml'))
          .map((name) => readFileSync(join(folder, name), 'utf8').replace(/=\r?\n/g, ''))
        const found = mails.find((mail) => mail.includes(`To: ${address}`) && mail.includes(subject))
        return found?.replaceAll(/\s+/g, ' ') ?? null
      }),
    mailsTo: (address: string) =>
      rows<{ template: string }>('SELECT template FROM mail_outbox WHERE recipient = ?', address),
    records: (eventType: string, ownerColumn: 'owner_id' | 'counterparty_owner_id', ownerId: string) =>
      rows<{ event_data: string; inputs: string; entry: string }>(
        `SELECT event_data, inputs, entry FROM audit_records WHERE event_type = ? AND ${ownerColumn} = ?`,
        eventType,
        ownerId,
      ),
    /** Waits until an event appears in the activity of a caller. */
    seenIn: (bearer: string, eventType: string) =>
      waitUntil(async () => {
        const { items } = (await call('GET', '/api/activity', { bearer })).body
        return items.find((event: { eventType: string }) => event.eventType === eventType) ?? null
      }),
  }
}

/** Status and code of a response. */
export function outcomeOf({ status, body }: { status: number; body: { code?: string } | null }) {
  return [status, body?.code]
}
