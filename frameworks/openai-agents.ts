import { Agent, type Model, Runner, tool, Usage } from '@openai/agents'
import { describeTool } from '@svc/client/openai-agents'
import { z } from 'zod'
import { PROMPT, type Purchase } from './shop.ts'

/** Lets an agent of the OpenAI Agents SDK order, and returns what it says in the end. */
export async function buyWithOpenAiAgents(
  { agent, shopUrl, counterpartyId, waitMs }: Purchase,
  model: Model,
): Promise<string> {
  const order = tool(
    describeTool(agent, {
      name: 'order',
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
  const buyer = new Agent({ name: 'Buyer', model, tools: [order] })
  const { finalOutput } = await new Runner({ tracingDisabled: true }).run(buyer, PROMPT)
  return finalOutput ?? ''
}

/** A model that orders the article, and then repeats what the tool has told it. */
export function createModel(sku: string): Model {
  return {
    async getResponse({ input }) {
      const last = typeof input === 'string' ? undefined : input.at(-1)
      const usage = new Usage()
      if (last?.type === 'function_call_result') {
        const content = [{ type: 'output_text' as const, text: JSON.stringify(last.output) }]
        return { usage, output: [{ type: 'message', role: 'assistant', status: 'completed', content }] }
      }
      const call = { type: 'function_call' as const, callId: 'call', name: 'order' }
      return { usage, output: [{ ...call, arguments: JSON.stringify({ sku }) }] }
    },
    getStreamedResponse() {
      throw new Error('this model streams nothing')
    },
  }
}
