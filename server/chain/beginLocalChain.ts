import { startLocalChain } from './localChain.ts'

/**
 * Starts the development chain at once, and returns the function that hands it over when the service has loaded: the process
 * of the chain takes as long to start as the modules of the service. Called again, that function starts another one.
 */
export function beginLocalChain(port: number): typeof startLocalChain {
  let early: ReturnType<typeof startLocalChain> | null = startLocalChain(port)
  // A failure is reported when the chain is requested; the service may have failed for a more important reason by then.
  early.catch(() => undefined)
  return (again) => {
    const chain = early ?? startLocalChain(again)
    early = null
    return chain
  }
}
