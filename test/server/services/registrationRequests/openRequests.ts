import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { enrolPasskey } from '../../../builders/enrolPasskey.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { openOwnerScene } from '../approvals/openOwnerScene.ts'

export const DAY_MS = 24 * 60 * 60 * 1000
export const POLL = '/api/agents/request-registration'
export const REQUESTS = '/api/registration-requests'

export type Requests = Awaited<ReturnType<typeof openRequests>>

export type Developer = Awaited<ReturnType<Requests['developer']>>

/** The whole service with verified people, and the requests sent to them. */
export async function openRequests(settings: Record<string, string> = {}) {
  const scene = await openOwnerScene(settings)
  const { baseUrl, call, owner, store, dataDir } = scene

  /** A person with a verified identity, a passkey and a personal API key. */
  async function developer({ isVerified = true } = {}) {
    const person = await owner()
    if (isVerified) await store('UPDATE users SET kyd_verified_at = 1 WHERE id = ?', person.userId)
    const made = await person.call('POST', '/api/api-keys', { body: { name: 'agent' } })
    const apiKey: string = made.body.key
    const register = (body: object, headers: Record<string, string> = {}) =>
      call('POST', '/api/agents/register', { bearer: apiKey, body, headers })
    const read = async (requestId: string) =>
      (await person.call('GET', `${REQUESTS}/${requestId}`)).body.request
    return {
      ...person,
      apiKey,
      register,
      /** Requests an agent and returns the request’s identifier. */
      async asks(body: object = { name: 'Shopper' }): Promise<string> {
        const answer = await register(body)
        if (answer.status !== 202) throw new Error(JSON.stringify(answer.body))
        return answer.body.requestId
      },
      read,
      /** Signs the assertion options of a request. */
      async signed(requestId: string) {
        return { response: person.authenticator.assert((await read(requestId)).assertionOptions) }
      },
      async approveRequest(requestId: string) {
        const { assertionOptions } = await read(requestId)
        const body = { response: person.authenticator.assert(assertionOptions) }
        return person.call('POST', `${REQUESTS}/${requestId}/approve`, { body })
      },
      denyRequest: (requestId: string, body: object = {}) =>
        person.call('POST', `${REQUESTS}/${requestId}/deny`, { body }),
    }
  }

  return {
    ...scene,
    developer,
    passkeyFor: (bearer: string) => enrolPasskey(baseUrl, bearer),
    poll: async (requestId: string) => (await call('GET', `${POLL}/${requestId}`)).body,
    async ownerOf(svcId: string): Promise<string | undefined> {
      const [row] = await scene.service.rows<{ owner_id: string }>(
        'SELECT owner_id FROM agents WHERE svc_id = ?',
        svcId,
      )
      return row?.owner_id
    },
    /** Requests an agent from the owner of an e-mail address, without an account. */
    outreach: (ownerEmail: string, fields: object = {}) =>
      call('POST', POLL, { body: { agentName: 'Buyer', ownerEmail, ...fields } }),
    /** Returns the text of a mail once it is sent. */
    mail: (name: string): Promise<string> =>
      waitUntil(async () => {
        const file = join(dataDir, 'mail', `${name}.eml`)
        if (!existsSync(file)) return null
        return readFileSync(file, 'utf8')
          .replace(/=\r?\n/g, '')
          .replace(/=3D/g, '=')
      }),
  }
}

/** The status of an answer, and the code of its error. */
export const seen = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

/** The agents of a person. */
export const agentsOf = async (person: Developer) =>
  (await person.call('GET', '/api/agents')).body.items as { svcId: string; name: string }[]
