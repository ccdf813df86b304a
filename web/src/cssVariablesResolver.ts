import type { CSSVariablesResolver } from '@mantine/core'

/**
 * Colours of the two schemes beyond Mantine's own.
 *
 * Mantine's dimmed text is below the contrast of 4.5:1 that small text needs (WCAG 2.2, 1.4.3).
 */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-body': '#f7f8fa',
    '--svc-surface': '#ffffff',
    '--svc-surface-hover': '#f1f3f8',
    '--svc-code': '#f4f5f8',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-body': '#14161a',
    '--svc-surface': '#1d2027',
    '--svc-surface-hover': '#262a33',
    '--svc-code': '#14161a',
  },
})
