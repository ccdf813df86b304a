import type { createAgentClient } from '@svc/client'

/** An agent that buys, and a shop that sells to agents. */
export type Purchase = {
  agent: ReturnType<typeof createAgentClient>
  /** `/orders` takes `{"sku": …}`; the shop's MCP server is at `/mcp`, and its A2A agent card at the well-known path. */
  shopUrl: string
  /** `SVCE-…` */
  counterpartyId: string
  /** How long, in milliseconds, the agent waits for its owner. */
  waitMs: number
  /** Replaces the timer of MCP calls. */
  wait?: ((ms: number) => Promise<void>) | undefined
}

/** What the model is asked. */
export const PROMPT = 'Order the article for me.'
