import { describeTool } from '@svc/client/ai'
import { generateText, isStepCount, type LanguageModel, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { z } from 'zod'
import { PROMPT, type Purchase } from './shop.ts'

/** Lets a model of the Vercel AI SDK order, and returns what it says in the end. */
export async function buyWithAiSdk(
  { agent, shopUrl, counterpartyId, waitMs }: Purchase,
  model: LanguageModel,
): Promise<string> {
  const order = tool(
    describeTool(agent, {
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
  const { text } = await generateText({ model, tools: { order }, prompt: PROMPT, stopWhen: isStepCount(3) })
  return text
}

/** A model that orders the article, and then repeats what the tool has told it. */
export function createModel(sku: string): LanguageModel {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 }
  const usage = { inputTokens: tokens, outputTokens: tokens }
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const last = prompt.at(-1)
      const result = last?.role === 'tool' ? last.content[0] : undefined
      const input = JSON.stringify({ sku })
      return result === undefined
        ? {
            content: [{ type: 'tool-call', toolCallId: 'call', toolName: 'order', input }],
            finishReason: { unified: 'tool-calls', raw: undefined },
            ...{ usage, warnings: [] },
          }
        : {
            content: [{ type: 'text', text: JSON.stringify(result) }],
            finishReason: { unified: 'stop', raw: undefined },
            ...{ usage, warnings: [] },
          }
    },
  })
}
