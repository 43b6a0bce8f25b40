import ts from 'typescript'

/** A member of an options object, and what its value may be: names of `typeof`, `any` where everything. */
export interface OptionMember {
  readonly name: string
  readonly takes: ReadonlySet<string>
}

/** A parameter of a public function that has named members. */
export interface OptionParam {
  /** `join(JoinOptions)`: the call and the type; the name of the parameter where the type has none. */
  readonly key: string
  readonly type: string
  readonly members: readonly OptionMember[]
}

function programOf(door: string): ts.Program {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.')
  return ts.createProgram([door], { ...options, noEmit: true })
}

/** Reads the calls of the public door by their types, so that no list of them can be out of date. */
class Door {
  readonly params = new Map<string, OptionParam>()
  readonly #checker: ts.TypeChecker
  readonly #file: ts.SourceFile

  constructor(path: string) {
    const program = programOf(path)
    this.#checker = program.getTypeChecker()
    this.#file = program.getSourceFile(path) as ts.SourceFile
  }

  readAll(values: ReadonlySet<string>): void {
    const checker = this.#checker
    for (const found of checker.getExportsOfModule(checker.getSymbolAtLocation(this.#file) as ts.Symbol)) {
      if (!values.has(found.name)) continue
      const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found
      const type = checker.getTypeOfSymbolAtLocation(symbol, this.#file)
      this.#readCall(found.name, type)
      if (symbol.flags & ts.SymbolFlags.Class) this.#readMethods(found.name, checker.getDeclaredTypeOfSymbol(symbol))
    }
  }

  #isOurs(type: ts.Type): boolean {
    const named = [type.aliasSymbol, type.symbol, type.getProperties()[0]]
    return named
      .flatMap((one) => one?.declarations ?? [])
      .some((one) => !one.getSourceFile().fileName.includes('node_modules'))
  }

  #readMethods(name: string, type: ts.Type): void {
    for (const method of type.getProperties()) {
      const isOurs = method.declarations?.some((one) => /\/src\//.test(one.getSourceFile().fileName))
      if (!isOurs || /^(#|__)/.test(method.name)) continue
      const own = this.#checker.getTypeOfSymbolAtLocation(method, this.#file)
      this.#readCall(`${name}#${method.name}`, own)
      const isLoaders = ((own as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) !== 0
      for (const one of isLoaders ? own.getProperties() : [])
        this.#readCall(`${name}#${method.name}.${one.name}`, this.#checker.getTypeOfSymbolAtLocation(one, this.#file))
    }
  }

  #readCall(name: string, type: ts.Type): void {
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()])
      for (const param of signature.getParameters()) {
        const given = this.#checker.getTypeOfSymbolAtLocation(param, this.#file)
        for (const one of this.#objectsIn(given)) this.#add(name, param.name, one)
      }
  }

  /** Object types with named members, of those that a parameter may be. */
  #objectsIn(given: ts.Type): ts.Type[] {
    const type = given.flags & ts.TypeFlags.TypeParameter ? this.#checker.getBaseConstraintOfType(given) : given
    if (!type) return []
    if (type.isUnion()) return type.types.flatMap((one) => this.#objectsIn(one))
    if (this.#checker.isTupleType(type))
      return this.#checker.getTypeArguments(type as ts.TypeReference).flatMap((one) => this.#objectsIn(one))
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) || !this.#isOurs(type)) return []
    const isClass = type.symbol?.declarations?.some(ts.isClassDeclaration)
    const isOther = this.#checker.isArrayLikeType(type) || type.getCallSignatures().length > 0
    return isClass || isOther || type.getProperties().length === 0 ? [] : [type]
  }

  #add(call: string, param: string, type: ts.Type): void {
    const name = type.aliasSymbol?.name ?? type.symbol?.name
    const own = name === undefined || name.startsWith('__') ? param : name
    const key = `${call}(${own})`
    const members = type.getProperties().map((member) => ({
      name: member.name,
      takes: this.#takes(this.#checker.getTypeOfSymbolAtLocation(member, this.#file)),
    }))
    const before = this.params.get(key)?.members ?? []
    const names = new Set(before.map((one) => one.name))
    this.params.set(key, { key, type: own, members: [...before, ...members.filter((one) => !names.has(one.name))] })
  }

  #takes(given: ts.Type): Set<string> {
    const type = given.flags & ts.TypeFlags.Instantiable ? this.#checker.getBaseConstraintOfType(given) : given
    if (!type || type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return new Set(['any'])
    if (type.isUnion()) return new Set(type.types.flatMap((one) => [...this.#takes(one)]))
    if (type.flags & ts.TypeFlags.StringLike) return new Set(['string'])
    if (type.flags & ts.TypeFlags.NumberLike) return new Set(['number'])
    if (type.flags & ts.TypeFlags.BooleanLike) return new Set(['boolean'])
    if (type.flags & ts.TypeFlags.Undefined) return new Set()
    return new Set([type.getCallSignatures().length > 0 ? 'function' : 'object'])
  }
}

/** The parameters with named members of all that the door gives out under these names. */
export function publicOptions(values: ReadonlySet<string>): readonly OptionParam[] {
  const door = new Door('src/index.ts')
  door.readAll(values)
  return [...door.params.values()]
}
