<?php
/**
 * Hourly reading of missed events.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

defined( 'ABSPATH' ) || exit;

/** Reads the gateway's events after the last known one. */
final class Catch_Up {

	private const HOOK      = 'comporta_catch_up';
	private const CURSOR    = 'comporta_events_cursor';
	private const PAGES_MAX = 20;

	/** State of deliveries that the shop has answered. */
	private const ARRIVED = array( 'DELIVERED', 'VERIFIED' );

	/** Schedules the reading in WordPress. */
	public static function register(): void {
		add_action( self::HOOK, array( self::class, 'run' ) );
		if ( ! wp_next_scheduled( self::HOOK ) ) {
			wp_schedule_event( time(), 'hourly', self::HOOK );
		}
	}

	/** Removes the schedule when the plugin is switched off. */
	public static function unschedule(): void {
		wp_clear_scheduled_hook( self::HOOK );
	}

	/** Handles missed events. The next run continues after them. */
	public static function run(): void {
		if ( ! Settings::load()->is_complete() ) {
			return;
		}
		$api        = Api::of_settings();
		$operations = new Operations( $api );
		for ( $page = 0; $page < self::PAGES_MAX; $page++ ) {
			$answer = $api->get(
				'/api/v2/events',
				array(
					'after' => (string) get_option( self::CURSOR, '' ),
					'limit' => '100',
				)
			);
			if ( ! $answer->succeeded() || ! self::follow( $operations, $answer->body['events'] ) ) {
				return;
			}
			update_option( self::CURSOR, $answer->text( 'next' ), false );
			if ( true !== $answer->body['more'] ) {
				return;
			}
		}
	}

	/**
	 * Whether all events of a page were handled.
	 *
	 * @param array<int,array<string,mixed>> $events Oldest first.
	 */
	private static function follow( Operations $operations, array $events ): bool {
		foreach ( $events as $event ) {
			$id = $event['body']['operation_id'] ?? null;
			if ( is_string( $id ) && ! in_array( $event['delivery']['state'], self::ARRIVED, true )
				&& Operations::LATER === $operations->follow( $id ) ) {
				return false;
			}
		}
		return true;
	}
}
