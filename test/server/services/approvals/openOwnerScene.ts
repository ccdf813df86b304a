import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createAgentProver } from '../../../builders/createAgentProver.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../../../builders/participants.ts'
import { createAuthenticator } from '../../../harness/peers/createAuthenticator.ts'
import { api } from '../../../harness/service/api.ts'
import { startService } from '../../../harness/service/startService.ts'

export const MINUTE_MS = 60_000

/** A boundary with distinctive values, by which a leak is detected; its owner is asked about spend from 100.25 on. */
export const PDLSS = {
  purpose: { categories: ['shopping', 'canarycategory'], allowedActions: ['buy', 'canaryaction'] },
  duration: { maxSessionDuration: 77_771, ttl: 77_772 },
  limits: {
    autonomousThreshold: 100.25,
    stepUpThreshold: 200.75,
    approvalThreshold: 50_000.5,
    currency: 'USD',
  },
  scope: { resources: ['/orders/**', '/canaryresource/*'], jurisdictions: ['DE', 'QX'] },
}

export type OwnerScene = Awaited<ReturnType<typeof openOwnerScene>>

export type Owner = Awaited<ReturnType<OwnerScene['owner']>>

type Joining = {
  email: string
  userId: string
  call(method: string, path: string, options: { body: object }): Promise<unknown>
}

/**
 * The whole service with a clock that the test moves, a shop that verifies, and owners of agents.
 *
 * @param given.dataDir A folder that the test removes, so that it can start the service again.
 */
export async function openOwnerScene(
  settings: Record<string, string> = {},
  given: { dataDir?: string } = {},
) {
  const time = { now: Date.now() }
  const service = await startService({ clock: () => time.now, settings, ...given })
  const { baseUrl, dataDir } = service
  const appUrl = baseUrl.replace('127.0.0.1', 'localhost')
  const call = (method: string, path: string, options: Parameters<typeof api>[3] = {}) =>
    api(baseUrl, method, path, options)
  const prover = createAgentProver(baseUrl, () => time.now)
  const shop = await createOrganisation(baseUrl)
  const svceId = await registerEndpoint(baseUrl, shop.apiKey)

  /** Writes what no operation of the service can write yet. */
  const store = (sql: string, ...values: unknown[]) => service.rows(sql, ...values)

  /** A person with a session that can be renewed, a passkey, and agents of their own. */
  async function owner({ withPasskey = true } = {}) {
    const email = `owner.${randomUUID()}@people.io`
    const password = 'correct horse battery'
    const body = { email, password, fullName: 'An Owner', accountType: 'individual' }
    const { data } = (await call('POST', '/api/auth/register', { body })).body
    let bearer: string = data.accessToken
    const page = { origin: appUrl, rpId: 'localhost' }
    const authenticator = createAuthenticator(page)
    let signedInAt = time.now
    /** Sends a request for this person, in a new session if the previous one has expired. */
    const own = async (method: string, path: string, options: Parameters<typeof api>[3] = {}) => {
      if (time.now - signedInAt > 10 * MINUTE_MS) {
        const signedIn = await call('POST', '/api/auth/login', { body: { email, password } })
        if (!signedIn.body.data) throw new Error(JSON.stringify(signedIn.body))
        bearer = signedIn.body.data.accessToken
        signedInAt = time.now
      }
      return call(method, path, { bearer, ...options })
    }
    if (withPasskey) {
      const { options } = (await own('POST', '/api/auth/passkeys/registration/options', { body: {} })).body
      const response = authenticator.register(options)
      const made = await own('POST', '/api/auth/passkeys/registration/verify', {
        body: { response, name: 'key' },
      })
      if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    }
    /** Reads an approval in this person’s view. */
    const readApproval = async (approvalId: string) =>
      (await own('GET', `/api/step-up-approvals/${approvalId}`)).body.approval
    /** Approves with an assertion, whatever it was made for. */
    const approveWith = (approvalId: string, response: unknown) =>
      own('POST', `/api/step-up-approvals/${approvalId}/approve`, { body: { response } })
    return {
      email,
      userId: data.user.id as string,
      developerId: data.user.developerId as string,
      authenticator,
      call: own,
      /** Downloads a file in this person’s session. */
      async download(path: string, headers: Record<string, string> = {}) {
        const authorization = `Bearer ${bearer}`
        const response = await fetch(baseUrl + path, { headers: { authorization, ...headers } })
        return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
      },
      async elevation(): Promise<string> {
        const { options } = (await own('POST', '/api/auth/passkeys/authentication/options', { body: {} }))
          .body
        const response = authenticator.assert(options)
        const raised = await own('POST', '/api/auth/passkeys/authentication/verify', { body: { response } })
        return raised.body.elevationToken
      },
      /** Registers an agent for this person, or for an organisation. */
      async agent(fields: object = {}, ownerId?: string): Promise<string> {
        const account = privateKeyToAccount(generatePrivateKey())
        const address = account.address.toLowerCase()
        const timestamp = Math.floor(time.now / 1000)
        await store('INSERT INTO wallets VALUES (?, ?, ?)', address, data.user.id, time.now)
        const { svcId } = await registerAgent(baseUrl, { pdlss: PDLSS, ...fields }, { account, timestamp })
        prover.add(svcId, account)
        if (ownerId !== undefined)
          await store('UPDATE agents SET owner_id = ? WHERE svc_id = ?', ownerId, svcId)
        return svcId
      },
      /** Creates an organisation of this person, with the others as members in given roles. */
      async organizationWith(people: readonly (readonly [Joining, role: string])[]): Promise<string> {
        const { organizationId } = (await own('POST', '/api/organizations', { body: { name: 'Org' } })).body
        const members = `/api/organizations/${organizationId}/members`
        for (const [person, role] of people) {
          await store('UPDATE users SET email_verified_at = 1 WHERE id = ?', person.userId)
          await own('POST', members, { body: { email: person.email, role } })
          await person.call('PATCH', `${members}/${person.userId}`, { body: { status: 'active' } })
        }
        return organizationId
      },
      readApproval,
      approveWith,
      /** Reads an approval and approves it with this person’s passkey. */
      async approve(approvalId: string) {
        const { assertionOptions } = await readApproval(approvalId)
        return approveWith(approvalId, authenticator.assert(assertionOptions))
      },
      /** Creates the options for approving in advance as well. */
      standingOptions: (approvalId: string, standing: object) =>
        own('POST', `/api/step-up-approvals/${approvalId}/options`, { body: { standing } }),
      /** Approves, and further spending in advance, with this person’s passkey. */
      async approveInAdvance(approvalId: string, standing: object) {
        const path = `/api/step-up-approvals/${approvalId}`
        const { assertionOptions } = (await own('POST', `${path}/options`, { body: { standing } })).body
        const response = authenticator.assert(assertionOptions)
        return own('POST', `${path}/approve`, { body: { response, standing } })
      },
      deny: (approvalId: string) => own('POST', `/api/step-up-approvals/${approvalId}/deny`),
    }
  }

  /** A request of an agent about which its owner is asked; `fields` change it. */
  const asking = (agentId: string, fields: object = {}) => ({
    agentId,
    counterpartyId: svceId,
    purpose: 'shopping:buy',
    resource: '/orders/1',
    jurisdiction: 'de',
    transactionValue: 150,
    currency: 'USD',
    attemptId: randomUUID(),
    ...fields,
  })
  /** Verifies a request that proves its agent by a token; `verifyUnproven` sends it as it is. */
  const verify = async (body: object, by: Organisation = shop) => verifyUnproven(await prover.prove(body), by)
  const verifyUnproven = (body: object, by: Organisation = shop) =>
    call('POST', '/api/agents/verify-access', { bearer: by.apiKey, body })
  /** Sends a request that requires approval, and returns it with the approval’s identifier. */
  async function asked(agentId: string, fields: object = {}) {
    const request = asking(agentId, fields)
    const { body } = await verify(request)
    expect(body.recommendation).to.equal('step_up_required')
    return { request, approvalId: body.stepUpApproval.approvalId as string }
  }

  const { add, prove } = prover
  return {
    service,
    baseUrl,
    appUrl,
    dataDir,
    time,
    call,
    store,
    shop,
    svceId,
    owner,
    asking,
    verify,
    verifyUnproven,
    asked,
    prove,
    add,
  }
}
