import type { RegistrationFiles } from '../../../external/registrationFiles.ts'
import { type RefreshRegistrationFileDeps, refreshRegistrationFile } from './refreshRegistrationFile.ts'

export type RefreshFilesDeps = Omit<RefreshRegistrationFileDeps, 'files'> & {
  files: Pick<RegistrationFiles, 'read' | 'list' | 'deleteDrafts'>
}

/** Maximum number of files in a round. */
const ROUND_MAX = 50
/** More changed agents than this are not remembered one by one: the whole folder is searched instead. */
const CHANGED_MAX = 10_000
/** How often the whole folder is searched, and how long after the last search because changes may have been missed. */
const SEARCH_MS = 24 * 3_600_000
const SEARCH_AFTER_MISS_MS = 3_600_000
/** A file of a temporary name that is older than this was left by a process that was killed while it wrote. */
const DRAFT_MS = 3_600_000

/**
 * Creates the rounds that keep the registration files of this process's folder as the database says, so that what was erased
 * is in no process's folder: files of agents that other processes report as changed, and now and then all files, because
 * this process may not have run at the time, or was killed between commit and write.
 *
 * Source: docs/decisions/0162.
 */
export function createRefreshFiles(deps: RefreshFilesDeps) {
  const changed = new Set<string>()
  let search: AsyncGenerator<string> | null = null
  let searchedAt = Number.NEGATIVE_INFINITY
  let hasMissed = false

  const isSearchDue = (now: number): boolean =>
    now - searchedAt >= (hasMissed ? SEARCH_AFTER_MISS_MS : SEARCH_MS)

  const beginSearch = async (now: number): Promise<void> => {
    searchedAt = now
    hasMissed = false
    await deps.files.deleteDrafts(now - DRAFT_MS)
    search = deps.files.list()
  }

  const endSearch = async (): Promise<void> => {
    await search?.return(undefined)
    search = null
  }

  const refresh = async (svcId: string): Promise<void> => {
    try {
      await refreshRegistrationFile(deps, { svcId })
    } catch (error) {
      hasMissed = true
      throw error
    }
  }

  const refreshChanged = async (): Promise<number> => {
    let done = 0
    for (const svcId of changed) {
      changed.delete(svcId)
      await refresh(svcId)
      done += 1
      if (done === ROUND_MAX) break
    }
    return done
  }

  const searchOn = async (): Promise<number> => {
    for (let done = 0; done < ROUND_MAX; done += 1) {
      const next = await search?.next()
      if (next === undefined || next.done) {
        await endSearch()
        return done
      }
      await refresh(next.value)
    }
    return ROUND_MAX
  }

  return {
    /** An agent has changed; a round refreshes its file. */
    onAgentChanged(svcId: string): void {
      if (changed.size < CHANGED_MAX) changed.add(svcId)
      else hasMissed = true
    },

    /** Any agent may have changed. */
    onMissed(): void {
      hasMissed = true
    },

    /** Refreshes some files; returns how many were looked at. @throws What reading a file or the database throws. */
    async round(now: number): Promise<number> {
      const done = await refreshChanged()
      if (done > 0) return done
      if (search === null && isSearchDue(now)) await beginSearch(now)
      return await searchOn()
    },

    /** Ends a search that is not complete. */
    async stop(): Promise<void> {
      changed.clear()
      await endSearch()
    },
  }
}
