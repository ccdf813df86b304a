import { useSyncExternalStore } from 'react'
import { browserMemory } from '../../../api/browserMemory.ts'

/** What brings an account here, in the order in which it is asked. */
export const ROLES = ['protect', 'run', 'review'] as const

export type Role = (typeof ROLES)[number]

/**
 * What an account has chosen in this browser. The role is `ask` while it is to be asked again, and null if it never was;
 * `isHidden` once the steps are done or it does not want to see them.
 */
export type FirstRunMemory = { role: Role | 'ask' | null; isHidden: boolean }

/**
 * What this browser remembers of the first steps of an account, and a function that changes it.
 *
 * Local to the browser: losing it costs one question.
 */
export function useFirstRunMemory(userId: string) {
  const key = `svc.firstRun.${userId}`
  const stored = useSyncExternalStore(browserMemory.subscribe, () => browserMemory.read(key))
  const remember = (changes: Partial<FirstRunMemory>) => {
    browserMemory.write(key, JSON.stringify({ ...parseMemory(browserMemory.read(key)), ...changes }))
  }
  return [parseMemory(stored), remember] as const
}

/** Whatever it cannot read counts as nothing, as after an older version of the dashboard. */
function parseMemory(stored: string | null): FirstRunMemory {
  try {
    const { role, isHidden } = JSON.parse(stored ?? '{}') as Partial<FirstRunMemory>
    return {
      role: [...ROLES, 'ask' as const].find((one) => one === role) ?? null,
      isHidden: isHidden === true,
    }
  } catch {
    return { role: null, isHidden: false }
  }
}
