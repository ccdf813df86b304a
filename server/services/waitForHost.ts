/**
 * Runs work that waits for a host which a user named, such as the agent's server or the domain of an endpoint.
 *
 * The caller, its network and everybody together have limited places for it, because such a host may take any length of time
 * to respond. An operation that is given this function runs nothing else of that kind outside it.
 *
 * @throws ApiError RATE_LIMITED, before the work begins, if there is no place.
 */
export type WaitForHost = <Result>(work: () => Promise<Result>) => Promise<Result>
