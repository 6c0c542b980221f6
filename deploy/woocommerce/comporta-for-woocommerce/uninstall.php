<?php
/**
 * Removes the settings with their secrets. Orders keep their payment data.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

delete_option( 'woocommerce_comporta_settings' );
delete_option( 'comporta_events_cursor' );
wp_clear_scheduled_hook( 'comporta_catch_up' );
