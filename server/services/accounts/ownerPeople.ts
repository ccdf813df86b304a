import type { OwnerFactsStore } from '../../store/agents/ownerFactsStore.ts'

/** The people behind an owner of agents and endpoints, by internal id. */
export type OwnerPeople = {
  /**
   * The one who answers for it, a developer or the creator of an organisation, then those who administer it; at most
   * `PEOPLE_MAX`. An owner without an account stands for itself.
   */
  people: readonly [string, ...string[]]
  /** Everybody who administers it now; a developer administers only their own. */
  administrators: ReadonlySet<string>
}

/** How many people behind an organisation are told apart, earliest member first. */
const PEOPLE_MAX = 16

/** Loads the people behind an owner (`SVCD-` or `SVCO-`). */
export async function loadOwnerPeople(
  { owners }: { owners: Pick<OwnerFactsStore, 'personBehind' | 'administratorsOf'> },
  ownerId: string,
): Promise<OwnerPeople> {
  const first = (await owners.personBehind(ownerId)) ?? ownerId
  const administrators = new Set(
    ownerId.startsWith('SVCO-') ? await owners.administratorsOf(ownerId) : [first],
  )
  const others = [...administrators].filter((person) => person !== first)
  return { people: [first, ...others.slice(0, PEOPLE_MAX - 1)], administrators }
}
