import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import express from 'express';
import { appMessages, type TimedResponse } from './app-messages.js';

describe('The end of an answer', () => {
  it('gives back what its request holds, also if the answer cannot be noted', () => {
    const answered = () => {
      throw new Error('not noted');
    };
    const { ServerResponse } = appMessages(express(), { draining: false, answered });
    const response = new ServerResponse(new IncomingMessage(new Socket())) as TimedResponse;
    let isOver = false;
    response.whenOver(() => (isOver = true));
    expect(() => response.end()).toThrow('not noted');
    expect(isOver).toBe(true);
  });
});
