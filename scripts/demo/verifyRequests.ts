import { callService } from './callService.ts'
import type { DemoContext, Shop } from './demoContext.ts'
import { MANDATE } from './registerOwnersAgent.ts'

/**
 * Verifies several requests, as the endpoint that received them.
 *
 * @returns The id of the audit record of the first request, which was granted.
 */
export async function verifyRequests(context: DemoContext, svcId: string, shop: Shop): Promise<string> {
  const verify = (body: object) =>
    callService(context.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { counterpartyId: shop.svceId, ...body },
    })
  const order = {
    agentId: svcId,
    purpose: 'shopping:buy',
    resource: '/orders/4711',
    jurisdiction: 'DE',
    transactionValue: 42.5,
    currency: 'EUR',
  }
  const auditRecordId = await grantInMandate(context, shop, () => verify(order))
  await denyOutOfMandate(context, () =>
    verify({ ...order, purpose: 'write_data:delete', resource: '/customers/1' }),
  )
  await followPolicies(context, shop, () =>
    verify({ purpose: 'read_data:list', callerMetadata: { userAgent: 'curious-bot/1.0' } }),
  )
  await stepUp(context, shop, () => verify({ ...order, transactionValue: 180 }))
  return auditRecordId
}

type Ask = () => ReturnType<typeof callService>

async function grantInMandate({ narrator, baseUrl }: DemoContext, shop: Shop, ask: Ask): Promise<string> {
  narrator.chapter('3. A request within the mandate')
  const answer = await ask()
  narrator.fact('recommendation', answer.recommendation)
  narrator.fact('access level', answer.access.accessLevel)
  narrator.fact('trust score', String(answer.agent?.trustScore))
  narrator.check(
    'granted, with a session and an audit record',
    answer.recommendation === 'grant' && !!answer.sessionId,
    answer,
  )
  const decision = await callService(
    baseUrl,
    'POST',
    `/api/agents/verify-access/${answer.sessionId}/decision`,
    { bearer: shop.apiKey, body: { decision: 'granted', reason: 'order accepted', tokenIssued: true } },
  )
  narrator.check('the endpoint’s own decision is recorded', decision.decision === 'granted', decision)
  return answer.auditRecordId
}

async function denyOutOfMandate({ narrator }: DemoContext, ask: Ask): Promise<void> {
  narrator.chapter('4. A request outside the mandate')
  const answer = await ask()
  for (const failure of answer.access.failures ?? []) narrator.fact(failure.dimension, failure.message)
  narrator.check('denied', answer.recommendation === 'deny' && answer.access.accessLevel === 'none', answer)
  const response = JSON.stringify(answer)
  const { purpose, scope, limits } = MANDATE
  const texts = [...purpose.categories, ...purpose.allowedActions, ...scope.resources]
  // Identifiers contain any digits, but not as a word.
  const amounts = new RegExp(`\\b(${limits.autonomousThreshold}|${limits.approvalThreshold})\\b`)
  narrator.check(
    'the response reveals nothing of the mandate',
    !texts.some((text) => response.includes(text)) && !amounts.test(response),
    answer,
  )
}

const POLICIES = [
  ['deny', 'deny', 'none'],
  ['audit', 'audit', 'standard'],
  ['allow_partial', 'grant', 'restricted'],
  ['allow_full', 'grant', 'standard'],
] as const

async function followPolicies({ narrator, baseUrl }: DemoContext, shop: Shop, ask: Ask): Promise<void> {
  narrator.chapter('5. A caller without an identity, under each of the four policies')
  for (const [policy, recommendation, accessLevel] of POLICIES) {
    await callService(baseUrl, 'PUT', `/api/endpoints/${shop.svceId}`, {
      bearer: shop.apiKey,
      body: { unverifiedAgentPolicy: policy },
    })
    const answer = await ask()
    const isAsSpecified =
      answer.recommendation === recommendation &&
      answer.access.accessLevel === accessLevel &&
      answer.advisory.policy === policy &&
      (answer.warningHeader !== undefined) === (policy === 'audit') &&
      answer.sessionId === undefined
    narrator.check(`${policy.padEnd(13)} → ${recommendation}, ${accessLevel}`, isAsSpecified, answer)
  }
}

async function stepUp({ narrator, baseUrl }: DemoContext, shop: Shop, ask: Ask): Promise<void> {
  narrator.chapter('6. A spend that requires the owner’s approval')
  const answer = await ask()
  const approval = answer.stepUpApproval
  narrator.check(
    'held for the owner’s approval',
    answer.recommendation === 'step_up_required' && !!approval,
    answer,
  )
  if (!approval) return
  narrator.fact('approve at', approval.approvalUrl)
  narrator.fact('expires', approval.expiresAt)
  const polled = await callService(baseUrl, 'GET', approval.pollUrl, { bearer: shop.apiKey })
  narrator.check('the endpoint polls it: pending', polled.status === 'pending', polled)
}
