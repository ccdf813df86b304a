/** How much a database holds before the load begins. */
export type GrowthSizes = { agents: number; endpoints: number; events: number }
