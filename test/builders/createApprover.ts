import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createAuthenticator } from '../harness/peers/createAuthenticator.ts'
import { api } from '../harness/service/api.ts'
import { createAgentProver } from './createAgentProver.ts'
import { registerAgent } from './participants.ts'

type ApproverInput = {
  /** The processes of one service, of which the first one's port is that of its public URL. */
  baseUrl: (nth: number) => string
  rows: (sql: string, ...values: unknown[]) => Promise<unknown>
  counterpartyId: string
}

/** Creates an owner with a passkey, and an agent whose purchases the owner approves; `nth` chooses the process. */
export async function createApprover({ baseUrl, rows, counterpartyId }: ApproverInput) {
  const body = {
    email: `${randomUUID()}@people.io`,
    password: 'correct horse battery',
    fullName: 'An Owner',
    accountType: 'individual',
  }
  const { data } = (await api(baseUrl(0), 'POST', '/api/auth/register', { body })).body
  const call = (nth: number, method: string, path: string, sent?: object) =>
    api(baseUrl(nth), method, path, { bearer: data.accessToken, ...(sent ? { body: sent } : {}) })
  const origin = baseUrl(0).replace('127.0.0.1', 'localhost')
  const authenticator = createAuthenticator({ origin, rpId: 'localhost' })
  const { options } = (await call(1, 'POST', '/api/auth/passkeys/registration/options', {})).body
  const registered = { response: authenticator.register(options), name: 'key' }
  await call(0, 'POST', '/api/auth/passkeys/registration/verify', registered)
  const account = privateKeyToAccount(generatePrivateKey())
  await rows('INSERT INTO wallets VALUES (?, ?, ?)', account.address.toLowerCase(), data.user.id, Date.now())
  const limits = { autonomousThreshold: 100, stepUpThreshold: 200, approvalThreshold: 500, currency: 'USD' }
  const { svcId } = await registerAgent(baseUrl(1), { pdlss: { limits } }, { account })
  const prover = createAgentProver(baseUrl(0), Date.now)
  prover.add(svcId, account)
  const proven = await prover.prove({
    agentId: svcId,
    counterpartyId,
    transactionValue: 150,
    currency: 'USD',
  })
  return {
    /** Whether its session is open. */
    isSignedIn: async (nth: number) => (await call(nth, 'GET', '/api/me')).status === 200,
    /** Creates an attempt that needs an approval and proves the agent. */
    newAttempt: () => ({ ...proven, attemptId: randomUUID() }),
    /** Signs the pending approval; the returned function sends the signature. */
    async signApproval(approvalId: string, nth: number) {
      const path = `/api/step-up-approvals/${approvalId}`
      const { assertionOptions } = (await call(nth, 'GET', path)).body.approval
      const response = authenticator.assert(assertionOptions)
      return () => call(nth + 1, 'POST', `${path}/approve`, { response })
    },
    deny: (approvalId: string, nth: number) => call(nth, 'POST', `/api/step-up-approvals/${approvalId}/deny`),
    /** Approves, and further spending in advance. */
    async approveInAdvance(approvalId: string, standing: object, nth: number) {
      const path = `/api/step-up-approvals/${approvalId}`
      const { assertionOptions } = (await call(nth, 'POST', `${path}/options`, { standing })).body
      const response = authenticator.assert(assertionOptions)
      return call(nth + 1, 'POST', `${path}/approve`, { response, standing })
    },
    async standingOf(nth: number) {
      const path = `/api/agents/${svcId}/approval-rules`
      const [rule] = (await call(nth, 'GET', path)).body.standing
      return { rule, remove: () => call(nth, 'DELETE', `${path}/${rule.ruleId}`) }
    },
  }
}
