import {
  createAgentClient,
  createPresenter,
  createVerifyClient,
  exportPublicKey,
  importAgentKey,
  readPresentedIdentity,
  signFetch,
  signRequest,
} from '@svc/client'
import { compilePolicy } from '@svc/client/policy'
import { loadPolicy } from '@svc/client/yaml'
import { privateKeyToAccount } from 'viem/accounts'

/** A case of the corpus, with its policy as an object and as text. */
type Case = { policy: unknown; policyText: string; request: unknown; now: number; facts: object }

type Task = {
  cases: Case[]
  /** Responds with the headers and the body of the request. */
  echoUrl: string
  /** A secp256k1 key. */
  key: `0x${string}`
  /** An Ed25519 key, whose signatures of the same text are the same. */
  jwk: JsonWebKey
}

/** Returns the same in every runtime. Input and output are JSON, because realms and pages share nothing else. */
export async function runInEveryRuntime(taskText: string): Promise<string> {
  const { cases, echoUrl, key, jwk }: Task = JSON.parse(taskText)
  const account = privateKeyToAccount(key)
  const presentation = { svcId: 'SVC-1', purpose: 'shopping:buy', durationSeconds: 60, jurisdiction: 'DE' }
  const presenter = createPresenter({
    ...presentation,
    verifyUrl: 'https://svc.test/api/agents/verify-access',
  })
  const agent = createAgentClient({ ...presentation, apiBaseUrl: 'https://svc.test/api', account })
  const post = async (body: object) =>
    (await agent.fetch(echoUrl, { method: 'POST', body: JSON.stringify(body) })).json()
  const signed = {
    method: 'POST',
    path: '/api/x',
    body: '{"a":"ä"}',
    nonce: 'n'.repeat(16),
    timestamp: 1_767_000_000,
  }
  return JSON.stringify({
    decisions: cases.map(({ policy, policyText, request, now, facts }) =>
      [policy, loadPolicy(policyText)].map((one) => compilePolicy(one).evaluate(request, { now, facts })),
    ),
    mistake: messageOf(() => loadPolicy('version: 1\npdlss:\n  purpose:\n    alowedActions: [read]\n')),
    fetched: await (await agent.fetch(echoUrl, {}, { attemptId: 'ATT-1' })).json(),
    presented: await (
      await presenter.fetch(new URL(echoUrl), { headers: { 'X-Svc-Id': 'SVC-other' } })
    ).json(),
    a2a: await post(agent.a2aMetadata()),
    mcp: await post(agent.mcpMeta({ purpose: 'shopping:browse' })),
    read: readPresentedIdentity(presenter.headers()),
    challenged: await agent.during(['SVCE-1'], async () => {
      const { status, body } = agent.challenge({
        ...{ challengeId: 'c', counterpartyId: 'SVCE-1', type: 'pending_verification' },
      })
      return [status, body.acknowledged]
    }),
    signed: await signRequest(account, signed),
    signedAsAgent: await signAsAgent(jwk, echoUrl),
    // Nothing listens on this port.
    unreachable: await createVerifyClient({
      apiBaseUrl: 'http://127.0.0.1:9/api',
      apiKey: 'k',
      disableInitChecks: true,
    })
      .verifyAccess({})
      .catch(({ name, code, status }) => ({ name, code, status })),
  })
}

/** Signs with a key that cannot be exported again, and sends a signed request. */
async function signAsAgent(jwk: JsonWebKey, echoUrl: string) {
  const agentKey = await importAgentKey(jwk)
  const fetchSigned = signFetch(agentKey, { agentId: 'SVC-1' })
  const body = new FormData()
  body.set('a', 'ä')
  const answer = await fetchSigned(`${echoUrl}?b=c`, {
    method: 'POST',
    body: new URLSearchParams({ a: 'ä' }),
  })
  const multipart = await fetchSigned(echoUrl, { method: 'POST', body })
  return {
    publicKey: await exportPublicKey(agentKey),
    signature: [...(await agentKey.sign('täxt'))],
    received: await answer.json(),
    statuses: [answer.status, multipart.status],
  }
}

function messageOf(work: () => unknown): string {
  try {
    work()
    return 'nothing'
  } catch (error) {
    return String(error)
  }
}
