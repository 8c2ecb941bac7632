export const TEXT = '<p>إذا كان التذييل على ‏‫التنقل</p>';
