import { parseArgs } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createNarrator } from './demo/createNarrator.ts'
import { findMissingService } from './demo/findMissingService.ts'
import { proveIdentity } from './demo/proveIdentity.ts'
import { proveOnChain } from './demo/proveOnChain.ts'
import { registerOwnersAgent } from './demo/registerOwnersAgent.ts'
import { registerShop } from './demo/registerShop.ts'
import { verifyRequests } from './demo/verifyRequests.ts'

/**
 * Shows the main use case end to end on a running service: `npm start` in one terminal, `npm run demo` in another.
 *
 * Exits with 1 if any check fails.
 */
const { values } = parseArgs({
  options: {
    url: {
      type: 'string',
      default: process.env.PUBLIC_URL ?? `http://localhost:${process.env.PORT ?? 3000}`,
    },
    rpc: {
      type: 'string',
      default: process.env.RPC_URL ?? `http://127.0.0.1:${process.env.CHAIN_PORT ?? 8545}`,
    },
  },
})
const narrator = createNarrator((text) => process.stdout.write(text), process.stdout.isTTY === true)
const context = { baseUrl: values.url, rpcUrl: values.rpc, narrator }

const fault = await findMissingService(context)
if (fault === null) await runDemo()
else {
  narrator.check(fault.message, false)
  narrator.note(fault.hint)
  narrator.conclude('')
}
process.exit(narrator.failures() === 0 ? 0 : 1)

async function runDemo(): Promise<void> {
  try {
    const owner = privateKeyToAccount(generatePrivateKey())
    const agent = await registerOwnersAgent(context, owner)
    const shop = await registerShop(context)
    const granted = await verifyRequests(context, agent, shop)
    await proveIdentity(context, owner, agent, shop)
    await proveOnChain(context, shop, granted)
  } catch (error) {
    narrator.check(error instanceof Error ? error.message : String(error), false)
  }
  narrator.conclude('Everything works, end to end.')
}
