import { setTimeout as pause } from 'node:timers/promises'
import { createAgentClient } from '@svc/client'
import { privateKeyToAccount } from 'viem/accounts'
import { setting } from '../setting.ts'

/** What the owner lets the agent do. It is registered with the agent, and no shop ever sees it. */
const MANDATE = {
  purpose: { categories: ['shopping'], allowedActions: ['browse', 'buy'] },
  limits: { autonomousThreshold: 60, approvalThreshold: 1500, currency: 'EUR' },
  scope: { resources: ['/catalogue', '/orders'] },
}

/** What the shop answers, as far as this agent reads it. */
type ShopAnswer = {
  message?: string
  total?: number
  recommendation?: string
  failures?: { dimension: string; message: string }[]
  stepUpApproval?: { approvalUrl: string; attemptId: string }
}

const shopUrl = setting('SHOP_URL', 'http://localhost:4000')
const patienceMs = Number(setting('APPROVAL_WAIT_SECONDS', '300')) * 1000
const agent = createAgentClient({
  apiBaseUrl: setting('SVC_API_BASE_URL', 'http://localhost:3000/api'),
  account: privateKeyToAccount(setting('AGENT_KEY') as `0x${string}`),
  ...(process.env.AGENT_SVC_ID ? { svcId: process.env.AGENT_SVC_ID } : {}),
})
let wentAsTold = true

/** One line of what happens; `told` says whether it was to happen. */
function say(line: string, told = true): void {
  console.log(told ? line : `${line}   <-- NOT as told`)
  wentAsTold &&= told
}

/** Sends an order; with `attemptId` it is the same order again, for which the owner was asked. */
async function order(sku: string, attemptId?: string) {
  const response = await agent.fetch(
    `${shopUrl}/orders`,
    { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ sku }) },
    { purpose: 'shopping:buy', ...(attemptId === undefined ? {} : { attemptId }) },
  )
  const retryAfterMs = Number(response.headers.get('Retry-After') ?? 5) * 1000
  return { status: response.status, body: (await response.json()) as ShopAnswer, retryAfterMs }
}

/** Sends the held order again, whenever the shop says so, until the owner has decided or our patience ends. */
async function orderOnceApproved(sku: string, held: Awaited<ReturnType<typeof order>>) {
  const deadline = Date.now() + patienceMs
  let answer = held
  while (answer.status === 202 && Date.now() < deadline) {
    await pause(answer.retryAfterMs)
    answer = await order(sku, answer.body.stepUpApproval?.attemptId)
  }
  return answer
}

function sayFailures({ failures = [], message = '' }: ShopAnswer): void {
  for (const failure of failures) say(`     ${failure.dimension}: ${failure.message}`)
  if (failures.length === 0) say(`     ${message}`)
}

async function introduce(): Promise<void> {
  if (process.env.AGENT_SVC_ID) return say(`1. I am ${process.env.AGENT_SVC_ID}`)
  const { svcId, trustScore } = await agent.register({ name: 'Buying agent', pdlss: MANDATE })
  say(`1. registered as ${svcId}, trust score ${trustScore} (AGENT_SVC_ID=${svcId} keeps this identity)`)
}

async function browse(): Promise<void> {
  const response = await agent.fetch(`${shopUrl}/catalogue`, {}, { purpose: 'shopping:browse' })
  const body = (await response.json()) as ShopAnswer & { items?: { sku: string; price: number }[] }
  say(`2. read the catalogue: ${response.status}`, response.status === 200)
  for (const { sku, price } of body.items ?? []) say(`     ${sku}: ${price} EUR`)
  if (response.status !== 200) sayFailures(body)
}

async function buySomethingSmall(): Promise<void> {
  const { status, body } = await order('cable')
  say(`3. cable, which I may buy by myself: ${status} ${body.recommendation ?? 'ordered'}`, status === 201)
  if (status !== 201) sayFailures(body)
}

async function buySomethingDear(): Promise<void> {
  const held = await order('monitor')
  say(
    `4. monitor, which my owner has to approve: ${held.status} ${held.body.recommendation}`,
    held.status === 202,
  )
  const asked = held.body.stepUpApproval
  if (!asked) return sayFailures(held.body)
  say(`     OWNER: open ${asked.approvalUrl}`)
  say(
    `     sign in, and approve with your passkey; for ${patienceMs / 1000} s I send the order again and again`,
  )
  const { status, body } = await orderOnceApproved('monitor', held)
  if (status === 201) return say(`     approved, ordered for ${body.total} EUR`)
  say(`     ${status === 202 ? 'nobody approved in time' : `refused: ${status}`}`, false)
  sayFailures(body)
}

async function buyOutsideOfTheMandate(): Promise<void> {
  const { status, body } = await order('workstation')
  say(`5. workstation, far outside of my mandate: ${status} ${body.recommendation ?? ''}`, status === 403)
  sayFailures(body)
}

try {
  await introduce()
  await browse()
  await buySomethingSmall()
  await buySomethingDear()
  await buyOutsideOfTheMandate()
} catch (error) {
  // `fetch failed` says nothing; its cause does.
  const isNobodyThere = error instanceof Error && error.cause !== undefined
  const hint = isNobodyThere ? ` (${error.cause}); do the service and the shop at ${shopUrl} run?` : ''
  say(`${error}${hint}`, false)
}
console.log(wentAsTold ? 'everything went as told' : 'something went otherwise')
process.exitCode = wentAsTold ? 0 : 1
