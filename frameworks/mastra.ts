import { Agent } from '@mastra/core/agent'
import type { MastraModelConfig } from '@mastra/core/llm'
import { MastraLanguageModelV2Mock } from '@mastra/core/test-utils/llm-mock'
import { createTool } from '@mastra/core/tools'
import { describeTool } from '@svc/client/mastra'
import { z } from 'zod'
import { PROMPT, type Purchase } from './shop.ts'

/** Lets an agent of Mastra order, and returns what it says in the end. */
export async function buyWithMastra(
  { agent, shopUrl, counterpartyId, waitMs }: Purchase,
  model: MastraModelConfig,
): Promise<string> {
  const order = createTool(
    describeTool(agent, {
      id: 'order',
      description: 'Orders an article of the shop.',
      inputSchema: z.object({ sku: z.string() }),
      purpose: 'shopping:buy',
      counterpartyId,
      waitMs,
      run: async ({ sku }, fetch) => {
        const headers = { 'Content-Type': 'application/json' }
        const body = JSON.stringify({ sku })
        return (await fetch(`${shopUrl}/orders`, { method: 'POST', headers, body })).json()
      },
    }),
  )
  const buyer = new Agent({ id: 'buyer', name: 'Buyer', instructions: 'You buy.', model, tools: { order } })
  return (await buyer.generate(PROMPT)).text
}

/** A model that orders the article, and then repeats what the tool has told it. */
export function createModel(sku: string): MastraLanguageModelV2Mock {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  return new MastraLanguageModelV2Mock({
    doGenerate: async ({ prompt }) => {
      const last = prompt.at(-1)
      const result = last?.role === 'tool' ? last.content[0] : undefined
      const input = JSON.stringify({ sku })
      return result === undefined
        ? {
            content: [{ type: 'tool-call', toolCallId: 'call', toolName: 'order', input }],
            finishReason: 'tool-calls',
            ...{ usage, warnings: [] },
          }
        : {
            content: [{ type: 'text', text: JSON.stringify(result) }],
            finishReason: 'stop',
            ...{ usage, warnings: [] },
          }
    },
  })
}
