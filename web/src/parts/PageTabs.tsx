import { Tabs } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { IsShown } from '../api/IsShown.ts'
import { navigate, useAddress } from '../router/navigate.ts'

/** One tab of a page; `id` stands in the address. */
type PageTab = { id: string; name: string; content: ReactNode }

type Props = { label: string; tabs: readonly [PageTab, ...PageTab[]] }

/**
 * The tabs of a page. The address says which one is open, so that it can be bookmarked and Back works; without `tab`, or
 * with an unknown one, it is the first.
 *
 * A tab loads when it is first opened. Afterwards it stays, with what was entered in its forms, but reads nothing again
 * while another one is open.
 */
export function PageTabs({ label, tabs }: Props) {
  const { path, search } = useAddress()
  const [first] = tabs
  const open = (tabs.find(({ id }) => id === search.get('tab')) ?? first).id
  const [opened, setOpened] = useState([open])
  if (!opened.includes(open)) setOpened([...opened, open])
  const show = (id: string | null) => {
    if (id !== null && id !== open) navigate(id === first.id ? path : `${path}?tab=${id}`)
  }
  return (
    <Tabs value={open} onChange={show} keepMounted keepMountedMode="display-none">
      <Tabs.List aria-label={label} mb="lg">
        {tabs.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id, content }) => (
        <Tabs.Panel key={id} value={id}>
          {opened.includes(id) && <IsShown value={id === open}>{content}</IsShown>}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
