import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAgentClient, exportPublicKey, generateAgentKey } from '@svc/client'
import { expect } from 'chai'
import { readBlocks } from '../docs/readBlocks.ts'
import { FRAMEWORKS, hasFrameworks } from '../harness/runner/hasFrameworks.ts'
import { type OwnerScene, openOwnerScene } from '../server/services/approvals/openOwnerScene.ts'
import { openAgentShop } from './openAgentShop.ts'

const PDLSS = {
  purpose: { categories: ['shopping'] },
  limits: { autonomousThreshold: 60, approvalThreshold: 1_500, currency: 'EUR' },
}
/** The examples by their files, in the order of docs/frameworks.md. */
const EXAMPLES = {
  'ai.ts': 'buyWithAiSdk',
  'langchain.ts': 'buyWithLangChain',
  'openai-agents.ts': 'buyWithOpenAiAgents',
  'mastra.ts': 'buyWithMastra',
  'mcp.ts': 'buyByMcp',
  'a2a.ts': 'buyByA2a',
} as const

describe('the adapters, each with its own framework', function () {
  this.timeout(120_000)
  let scene: OwnerScene
  let shop: Awaited<ReturnType<typeof openAgentShop>>
  let agentOf: (wait: () => Promise<void>) => ReturnType<typeof createAgentClient>
  let approve: () => Promise<void>

  before(async function () {
    if (!hasFrameworks()) return this.skip()
    scene = await openOwnerScene()
    shop = await openAgentShop(scene.baseUrl, scene.shop.apiKey)
    const key = await generateAgentKey()
    const owner = await scene.owner()
    const svcId = await owner.agent({ pdlss: PDLSS, keys: [await exportPublicKey(key)] })
    const apiBaseUrl = `${scene.appUrl}/api`
    agentOf = (wait) => createAgentClient({ apiBaseUrl, svcId, key, wait })
    approve = async () => {
      const { items } = (await owner.call('GET', '/api/step-up-approvals?status=pending')).body
      for (const { approvalId } of items) expect((await owner.approve(approvalId)).status).to.equal(200)
    }
    return undefined
  })
  after(() => Promise.all([shop?.stop(), scene?.service.stop()]))

  Object.entries(EXAMPLES).forEach(([file, name], nth) => {
    /** Runs an example, and returns what the model was told. */
    const buy = async (
      sku: string,
      waitMs = 0,
      wait: () => Promise<void> = async () => undefined,
    ): Promise<string> => {
      const { [name]: run, createModel } = await import(join(FRAMEWORKS, file))
      // The service's clock stands still, but proofs are good for a minute.
      scene.time.now = Date.now()
      const purchase = {
        agent: agentOf(wait),
        shopUrl: shop.url,
        counterpartyId: shop.counterpartyId,
        waitMs,
        wait,
      }
      return run(purchase, createModel === undefined ? sku : createModel(sku))
    }

    describe(file, () => {
      it('orders with a proof of the agent, as its page shows', async () => {
        expect(await buy('cable')).to.match(/ordered\W+cable/)
        const program = readFileSync(join(FRAMEWORKS, file), 'utf8').split('\n').map(trim)
        const shown = readBlocks('docs/frameworks.md')[nth]?.text.trim().split('\n').map(trim) ?? ['']
        expect(findMissing(program, shown.filter(Boolean))).to.equal(undefined)
      })

      it('waits for the owner’s approval', async () => {
        expect(await buy('monitor', 60_000, approve)).to.match(/ordered\W+monitor/)
      })

      it('tells the model that the owner has to approve, and where', async () => {
        const told = await buy('monitor')
        expect(told).to.include('Not carried out: the owner of the agent has to approve this request')
        expect(told).to.include(`The owner can approve it at ${scene.appUrl}/activity/pending/`)
      })

      it('tells the model why it was refused', async () => {
        const told = await buy('workstation')
        expect(told).to.include('Refused (access_denied): ')
        expect(told).to.include(
          'The value or currency of the transaction is outside the mandate of the agent.',
        )
      })
    })
  })
})

const trim = (line: string) => line.trim()

/** Returns the first line that a program does not have, in this order. */
function findMissing(program: readonly string[], lines: readonly string[]): string | undefined {
  let from = 0
  return lines.find((line) => {
    const at = program.indexOf(line, from)
    from = at + 1
    return at === -1
  })
}
