import { createAgentClient } from '@svc/client'
import { privateKeyToAccount } from 'viem/accounts'
import { readSetting } from '../readSetting.ts'

/** The agent's boundary, set by its owner. It is registered with the agent, and no shop ever sees it. */
const MANDATE = {
  purpose: { categories: ['shopping'], allowedActions: ['browse', 'buy'] },
  limits: { autonomousThreshold: 60, approvalThreshold: 1500, currency: 'EUR' },
  scope: { resources: ['/catalogue', '/orders'] },
}

/** The members of the shop's responses that this agent reads. */
type ShopAnswer = {
  message?: string
  total?: number
  recommendation?: string
  failures?: { dimension: string; message: string }[]
  stepUpApproval?: { approvalUrl: string; attemptId: string }
}

const shopUrl = readSetting('SHOP_URL', 'http://localhost:4000')
const approvalWaitMs = Number(readSetting('APPROVAL_WAIT_SECONDS', '300')) * 1000
const agent = createAgentClient({
  apiBaseUrl: readSetting('SVC_API_BASE_URL', 'http://localhost:3000/api'),
  account: privateKeyToAccount(readSetting('AGENT_KEY') as `0x${string}`),
  ...(process.env.AGENT_SVC_ID ? { svcId: process.env.AGENT_SVC_ID } : {}),
})
let isAsExpected = true

/** Prints one step; `expected` says whether it went as it should. */
function say(line: string, expected = true): void {
  console.log(expected ? line : `${line}   <-- NOT as expected`)
  isAsExpected &&= expected
}

/** Sends an order, or repeats one that is held until the owner has decided or the time is up. */
async function sendOrder(sku: string, held: { attemptId?: string; waitMs?: number } = {}) {
  const response = await agent.fetch(
    `${shopUrl}/orders`,
    { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ sku }) },
    { purpose: 'shopping:buy', ...held },
  )
  return { status: response.status, body: (await response.json()) as ShopAnswer }
}

function sayFailures({ failures = [], message = '' }: ShopAnswer): void {
  for (const failure of failures) say(`     ${failure.dimension}: ${failure.message}`)
  if (failures.length === 0) say(`     ${message}`)
}

async function register(): Promise<void> {
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

async function buyWithinLimits(): Promise<void> {
  const { status, body } = await sendOrder('cable')
  say(`3. cable, within my limits: ${status} ${body.recommendation ?? 'ordered'}`, status === 201)
  if (status !== 201) sayFailures(body)
}

async function buyWithApproval(): Promise<void> {
  const held = await sendOrder('monitor')
  say(
    `4. monitor, needs my owner's approval: ${held.status} ${held.body.recommendation}`,
    held.status === 202,
  )
  const asked = held.body.stepUpApproval
  if (!asked) return sayFailures(held.body)
  say(`     OWNER: open ${asked.approvalUrl}`)
  say(`     sign in and approve with your passkey; I retry the order for ${approvalWaitMs / 1000} s`)
  const { status, body } = await sendOrder('monitor', {
    attemptId: asked.attemptId,
    waitMs: approvalWaitMs,
  })
  if (status === 201) return say(`     approved, ordered for ${body.total} EUR`)
  say(`     ${status === 202 ? 'no approval in time' : `refused: ${status}`}`, false)
  sayFailures(body)
}

async function buyOutsideMandate(): Promise<void> {
  const { status, body } = await sendOrder('workstation')
  say(`5. workstation, far outside my mandate: ${status} ${body.recommendation ?? ''}`, status === 403)
  sayFailures(body)
}

try {
  await register()
  await browse()
  await buyWithinLimits()
  await buyWithApproval()
  await buyOutsideMandate()
} catch (error) {
  // The message `fetch failed` is useless; its cause is not.
  const isUnreachable = error instanceof Error && error.cause !== undefined
  const hint = isUnreachable ? ` (${error.cause}); are the service and the shop at ${shopUrl} running?` : ''
  say(`${error}${hint}`, false)
}
console.log(isAsExpected ? 'everything went as expected' : 'something went wrong')
process.exitCode = isAsExpected ? 0 : 1
