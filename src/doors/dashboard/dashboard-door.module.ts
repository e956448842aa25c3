import { Module } from '@nestjs/common';
import { UnknownPageController } from './unknown-page.controller.js';

/** The door of the clients' people. Express tries the pages in this order, and what is no page comes last. */
@Module({ controllers: [UnknownPageController] })
export class DashboardDoorModule {}
