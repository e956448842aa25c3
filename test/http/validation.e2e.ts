import { ValidationPipe } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ModulesContainer } from '@nestjs/core';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Parameter {
  pipes: unknown[];
}

describe('validation', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.close());

  it('leaves no body and no query of any route unchecked', () => {
    const controllers = [...test.app.get(ModulesContainer).values()].flatMap((module) => [
      ...module.controllers.values(),
    ]);
    const inputs = controllers.flatMap(({ metatype }) => inputsOf(metatype as new () => object));
    expect(inputs.length).toBeGreaterThan(3);
    expect(inputs.filter(({ pipes }) => !pipes.some((pipe) => pipe instanceof ValidationPipe))).toEqual([]);
  });
});

function inputsOf(controller: new () => object): (Parameter & { route: string })[] {
  return Object.getOwnPropertyNames(controller.prototype).flatMap((method) => {
    const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
      string,
      Parameter
    >;
    return Object.entries(parameters)
      .filter(([key]) => [RouteParamtypes.BODY, RouteParamtypes.QUERY].includes(Number(key.split(':')[0])))
      .map(([, { pipes }]) => ({ route: `${controller.name}.${method}`, pipes }));
  });
}
