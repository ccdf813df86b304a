import { parseArgs } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createNarrator } from './demo/createNarrator.ts'
import { findMissingService } from './demo/findMissingService.ts'
import { proveOnChain } from './demo/proveOnChain.ts'
import { registerOwnersAgent } from './demo/registerOwnersAgent.ts'
import { registerShop } from './demo/registerShop.ts'
import { verifyRequests } from './demo/verifyRequests.ts'

/**
 * The main job, end to end, against a service that is running: `npm start` in one terminal, `npm run demo` in another.
 *
 * Ends with status 1 when anything is not as it should be.
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
const stage = { baseUrl: values.url, rpcUrl: values.rpc, narrator }

const fault = await findMissingService(stage)
if (fault === null) await play()
else {
  narrator.check(fault.message, false)
  narrator.note(fault.hint)
  narrator.conclude('')
}
process.exit(narrator.failures() === 0 ? 0 : 1)

async function play(): Promise<void> {
  try {
    const owner = privateKeyToAccount(generatePrivateKey())
    const agent = await registerOwnersAgent(stage, owner)
    const shop = await registerShop(stage)
    const granted = await verifyRequests(stage, agent, shop)
    await proveOnChain(stage, shop, granted)
  } catch (error) {
    narrator.check(error instanceof Error ? error.message : String(error), false)
  }
  narrator.conclude('The main job works, end to end.')
}
