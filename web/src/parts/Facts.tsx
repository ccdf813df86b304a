import { DataList } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { revealNode } from './code/revealText.ts'

/** A list of named facts; those without a value are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  const isNarrow = useMediaQuery('(max-width: 40em)')
  return (
    <DataList orientation={isNarrow ? 'vertical' : 'horizontal'} labelWidth="170px" gap="sm">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <DataList.Item key={name}>
            <DataList.ItemLabel>{name}</DataList.ItemLabel>
            <DataList.ItemValue style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              {revealNode(value)}
            </DataList.ItemValue>
          </DataList.Item>
        ))}
    </DataList>
  )
}
