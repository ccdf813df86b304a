import { Button, Group, NativeSelect, Paper, TextInput } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { readFields } from '../../parts/forms/readFields.ts'
import { Icon } from '../../parts/Icon.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { capitalise } from '../../parts/words/words.ts'
import { followLink, navigate, useAddress } from '../../router/navigate.ts'

/** The lists, in the order of their links. */
const LISTS = [
  { path: '/moderation', name: 'Accounts' },
  { path: '/moderation/organisations', name: 'Organisations' },
  { path: '/moderation/endpoints', name: 'Endpoints' },
  { path: '/moderation/platforms', name: 'Platforms' },
] as const

type Props = {
  path: (typeof LISTS)[number]['path']
  /** What the search term can be. */
  searchHint: string
  states: readonly string[]
  children: ReactNode
}

/** The frame of a list of operators: links to the others, and a search whose terms are part of the URL. */
export function ModerationPage({ path, searchHint, states, children }: Props) {
  return (
    <>
      <PageHeader
        title="Moderation"
        description="Act on abuse. Each measure needs your passkey and a reason for the owner, and is recorded. All but the release of a URL can be undone."
      />
      <Group component="nav" aria-label="Lists" gap="xs" mb="md">
        {LISTS.map((list) => (
          <Button
            key={list.path}
            component="a"
            href={list.path}
            onClick={followLink}
            size="sm"
            variant={list.path === path ? 'light' : 'default'}
            aria-current={list.path === path ? 'page' : undefined}
          >
            {list.name}
          </Button>
        ))}
      </Group>
      <Search key={path} path={path} hint={searchHint} states={states} />
      {children}
    </>
  )
}

/** The search of the URL, as the query of a list. */
export function useListQuery(): { search: string; status: string } {
  const { search } = useAddress()
  return { search: search.get('search') ?? '', status: search.get('status') ?? '' }
}

function Search({ path, hint, states }: { path: string; hint: string; states: readonly string[] }) {
  const { search, status } = useListQuery()
  const show = (next: { search: string; status: string }) => {
    const given = Object.entries(next).filter(([, value]) => value !== '')
    navigate(given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`, { replace: true })
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    show({ search: readFields(event.currentTarget, 'search').search.trim(), status })
  }
  return (
    <Paper withBorder p="md" mb="md" component="search">
      <form onSubmit={submit}>
        <Group gap="sm" align="flex-end">
          <TextInput
            name="search"
            label="Search"
            description={hint}
            // Another URL shows its own term.
            key={search}
            defaultValue={search}
            maxLength={200}
            leftSection={<Icon name="search" size={16} />}
            style={{ flex: '3 1 240px', minWidth: 0 }}
          />
          <NativeSelect
            label="State"
            value={status}
            data={[
              { value: '', label: 'All' },
              ...states.map((value) => ({ value, label: capitalise(value) })),
            ]}
            onChange={(event) => show({ search, status: event.currentTarget.value })}
            style={{ flex: '1 1 130px', minWidth: 0 }}
          />
          <Button type="submit" variant="default">
            Search
          </Button>
          {(search !== '' || status !== '') && (
            <Button variant="subtle" onClick={() => show({ search: '', status: '' })}>
              Clear
            </Button>
          )}
        </Group>
      </form>
    </Paper>
  )
}
