import { expect, test } from 'vitest'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { checkParams } from '../../src/contract/check-params.js'
import { ParamsError } from '../../src/contract/error.js'
import { paramCases as cases } from '../helper/param-cases.js'

test('every param of every operation has cases in both directions', () => {
  for (const name of datasetNames) {
    expect(Object.keys(cases[name] ?? {}).sort(), name).toEqual(Object.keys(datasetOf(name).params).sort())
    for (const [param, { accepted, refused }] of Object.entries(cases[name] ?? {})) {
      expect(accepted.length, `${name}.${param}`).toBeGreaterThan(0)
      expect(refused.length, `${name}.${param}`).toBeGreaterThan(0)
    }
  }
})

for (const [name, params] of Object.entries(cases)) {
  for (const [param, { accepted, refused }] of Object.entries(params)) {
    test.each(accepted.map((given) => [JSON.stringify(given), given] as const))(
      `${name} takes ${param}: %s`,
      (_, given) => {
        const query = checkParams(datasetOf(name), given)
        if (given[param] === null) expect(query).not.toHaveProperty(param)
        else expect(query).toHaveProperty(param)
      },
    )
    test.each(refused.map((given) => [JSON.stringify(given), given] as const))(
      `${name} refuses ${param}: %s`,
      (_, given) => {
        const wanted = expect.objectContaining({ field: param, message: expect.stringContaining(param) })
        expect(() => checkParams(datasetOf(name), given)).toThrow(ParamsError)
        expect(() => checkParams(datasetOf(name), given)).toThrow(wanted)
      },
    )
  }
}
