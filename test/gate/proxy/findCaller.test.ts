import { expect } from 'chai'
import { findCaller } from '../../../gate/proxy/findCaller.ts'

describe('findCaller', () => {
  for (const { name, forwardedFor, proxies, caller } of [
    {
      name: 'takes what one proxy added',
      forwardedFor: '6.6.6.6, 203.0.113.7',
      proxies: 1,
      caller: '203.0.113.7',
    },
    { name: 'takes what one proxy wrote', forwardedFor: '203.0.113.7', proxies: 1, caller: '203.0.113.7' },
    {
      name: 'takes what the outermost of two proxies added',
      forwardedFor: '6.6.6.6,203.0.113.7 , 198.51.100.2',
      ...{ proxies: 2, caller: '203.0.113.7' },
    },
    {
      name: 'takes the first if there are fewer than proxies',
      forwardedFor: '203.0.113.7',
      ...{ proxies: 3, caller: '203.0.113.7' },
    },
    { name: 'finds none without addresses', forwardedFor: ' , ', proxies: 1, caller: undefined },
    { name: 'finds none without the header', forwardedFor: undefined, proxies: 1, caller: undefined },
  ]) {
    it(name, () => {
      expect(findCaller(forwardedFor, proxies)).to.equal(caller)
    })
  }
})
