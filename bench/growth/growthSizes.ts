/** Numbers of rows in a database before the load begins. */
export type GrowthSizes = { agents: number; endpoints: number; events: number }
