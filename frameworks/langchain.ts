import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { fakeModel } from '@langchain/core/testing'
import { tool } from '@langchain/core/tools'
import { describeTool } from '@svc/client/langchain'
import { z } from 'zod'
import { PROMPT, type Purchase } from './shop.ts'

/** Lets a model of LangChain order, and returns what it says in the end. */
export async function buyWithLangChain(
  { agent, shopUrl, counterpartyId, waitMs }: Purchase,
  model: BaseChatModel,
): Promise<string> {
  const order = tool(
    ...describeTool(agent, {
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
  const bound = model.bindTools?.([order]) ?? model
  const messages: BaseMessage[] = [new HumanMessage(PROMPT)]
  for (;;) {
    const said = await bound.invoke(messages)
    messages.push(said)
    const calls = said.tool_calls ?? []
    if (calls.length === 0) return said.text
    for (const call of calls) messages.push(await order.invoke({ ...call, type: 'tool_call' }))
  }
}

/** A model that orders the article, and then repeats what the tool has told it. */
export function createModel(sku: string): BaseChatModel {
  return fakeModel()
    .respondWithTools([{ name: 'order', args: { sku }, id: 'call' }])
    .respond((messages) => new AIMessage(messages.at(-1)?.text ?? ''))
}
