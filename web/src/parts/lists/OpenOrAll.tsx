import { SegmentedControl } from '@mantine/core'
import { navigate, useAddress } from '../../router/navigate.ts'
import { LinkButton } from '../LinkButton.tsx'

/** Whether a list with an `OpenOrAll` filter shows all of its items. */
export function useIsAll(): boolean {
  return useAddress().search.get('show') === 'all'
}

/** The filter of a list: only its open items, or all. The URL of the page remembers the choice. */
export function OpenOrAll({ path, name, open }: { path: string; name: string; open: string }) {
  return (
    <SegmentedControl
      aria-label={`Filter ${name}`}
      value={useIsAll() ? 'all' : 'open'}
      onChange={(value) => navigate(value === 'all' ? `${path}?show=all` : path, { replace: true })}
      data={[
        { value: 'open', label: open },
        { value: 'all', label: 'All' },
      ]}
    />
  )
}

/** Leads from an empty list of open items to all of them. */
export function ShowAll({ path }: { path: string }) {
  if (useIsAll()) return null
  return (
    <LinkButton to={`${path}?show=all`} variant="default">
      Show all
    </LinkButton>
  )
}
